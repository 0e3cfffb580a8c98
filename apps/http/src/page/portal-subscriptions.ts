import type { PortalSubscription } from '@quittance/billing'
import { type Html, html } from './html.ts'
import { addressFor, amountFor, dayFor, priceFor, type Reader } from './reader.ts'

const dayOf = (reader: Reader, timestamp: string): Html =>
  html`<time datetime="${timestamp}">${dayFor(reader, timestamp)}</time>`

type Price = Pick<PortalSubscription, 'price_amount_cents' | 'currency_code' | 'interval'>

const priceOf = (reader: Reader, { price_amount_cents, currency_code, interval }: Price): string =>
  reader.words.portal.price(priceFor(reader, currency_code, price_amount_cents / 100), reader.script.every(interval, 1))

/** A new price that waits, with what it takes from the customer. */
const newPrice = (
  reader: Reader,
  { status, interval, pending_price_change: waiting }: PortalSubscription,
): Html | null => {
  if (waiting === null || status === 'canceled') return null
  const { portal } = reader.words
  const { effective_at, needs_consent, accepted_at, without_consent, price_amount_cents, currency_code } = waiting
  const price = priceOf(reader, { price_amount_cents, currency_code, interval })
  const consent = without_consent === 'keep' ? portal.signForKeep : portal.signForCancel
  const isToSign = needs_consent && accepted_at === null
  return html`<p class="warning" data-testid="new-price">${portal.newPrice(dayOf(reader, effective_at), price)}${isToSign ? ` ${consent}` : null}</p>`
}

/** One sentence on what happens next. */
const outlook = (reader: Reader, subscription: PortalSubscription): Html => {
  const { status, current_period_end, next_renewal_at, cancel_at_period_end, canceled_at, grace_until } = subscription
  const words = reader.words.portal.outlook
  const day = (timestamp: string) => dayOf(reader, timestamp)
  const end = day(current_period_end)
  switch (status) {
    case 'trialing':
      return cancel_at_period_end ? words.trialEnds(end) : words.trial(end, priceOf(reader, subscription))
    case 'active':
      return cancel_at_period_end ? words.paidUntil(end) : words.next(day(next_renewal_at ?? current_period_end))
    case 'past_due':
      return html`${words.failed}${next_renewal_at === null ? null : html` ${words.again(day(next_renewal_at))}`}${grace_until === null ? null : html` ${words.access(day(grace_until))}`}`
    case 'overdue':
      return html`${words.overdue}`
    case 'paused':
      if (cancel_at_period_end) return words.pausedEnds(end)
      return html`${subscription.resuming ? words.resuming : words.paused}`
    case 'canceled':
      return words.ended(day(canceled_at ?? current_period_end))
  }
}

/** The effect of cancelling. */
const whatFollows = (reader: Reader, { status, current_period_end }: PortalSubscription): Html => {
  const { follows } = reader.words.portal
  switch (status) {
    case 'trialing':
      return follows.trial(dayOf(reader, current_period_end))
    case 'active':
      return follows.active(dayOf(reader, current_period_end))
    case 'past_due':
    case 'overdue':
    case 'paused':
    case 'canceled':
      return html`${follows.other}`
  }
}

type ActionName = 'keep' | 'pause' | 'resume' | 'change_wallet' | 'cancel'
const styles: Readonly<Record<ActionName, string>> = {
  keep: 'button',
  pause: 'button button-secondary',
  resume: 'button',
  change_wallet: 'button button-secondary',
  cancel: 'button',
}

const button = (reader: Reader, { id, product }: PortalSubscription, formToken: string, name: ActionName): Html =>
  html`<form method="post" action="${addressFor(reader, `/portal/subscriptions/${id}`)}">
<input type="hidden" name="form_token" value="${formToken}">
<button type="submit" class="${styles[name]}" name="action" value="${name}" data-testid="${name}">${reader.words.portal.actions[name]}<span class="visually-hidden">: ${product}</span></button>
</form>`

const cancelling = (reader: Reader, subscription: PortalSubscription, formToken: string): Html =>
  html`<details class="details" data-testid="cancelling">
<summary>${reader.words.portal.actions.cancelling}<span class="visually-hidden">: ${subscription.product}</span></summary>
<p>${whatFollows(reader, subscription)}</p>
${button(reader, subscription, formToken, 'cancel')}
</details>`

/** The actions of the customer, the most useful first. */
const actions = (reader: Reader, subscription: PortalSubscription, formToken: string): ReadonlyArray<Html> => {
  const { status, cancel_at_period_end, authorization, resuming } = subscription
  const asButton = (name: ActionName) => button(reader, subscription, formToken, name)
  // A mandate that was ended from the wallet needs a new signature first.
  if (cancel_at_period_end && status !== 'canceled') return authorization.status === 'revoked' ? [] : [asButton('keep')]
  // A request that is open already can be answered by any wallet.
  const wallet = authorization.update_url === null ? [asButton('change_wallet')] : []
  const cancel = cancelling(reader, subscription, formToken)
  switch (status) {
    case 'trialing':
    case 'active':
      return [asButton('pause'), ...wallet, cancel]
    case 'past_due':
    case 'overdue':
      return [...wallet, cancel]
    case 'paused':
      return [...(resuming ? [] : [asButton('resume')]), ...wallet, cancel]
    case 'canceled':
      return []
  }
}

const whyAgain = ({ words }: Reader, { status, changing, changingWallet, moving }: PortalSubscription): string => {
  const { again } = words.portal
  if (moving) return again.moving
  if (changingWallet) return again.wallet
  if (changing) return again.product
  return status === 'past_due' || status === 'overdue' ? again.owed : again.free
}

const links = (reader: Reader, subscription: PortalSubscription): ReadonlyArray<Html> => {
  const { status, invoice_url, authorization } = subscription
  const { portal } = reader.words
  if (status === 'canceled') return []
  const { update_url, cap } = authorization
  return [
    ...(invoice_url === null
      ? []
      : [html`<a class="button" data-testid="invoice" href="${addressFor(reader, invoice_url)}">${portal.payDue}</a>`]),
    ...(update_url === null
      ? []
      : [
          html`<p class="warning">${whyAgain(reader, subscription)}</p>
<a class="button" data-testid="authorize" href="${addressFor(reader, update_url)}">${portal.signAgain}</a>`,
        ]),
    ...(authorization.status === 'active'
      ? [html`<p class="quiet">${portal.cap(amountFor(reader, String(cap)))}</p>`]
      : []),
  ]
}

const card = (reader: Reader, subscription: PortalSubscription, formToken: string): Html => {
  const { status, cancel_at_period_end, product } = subscription
  const { states } = reader.words.portal
  const isEnding = cancel_at_period_end && status !== 'canceled'
  return html`<li class="subscription" data-testid="subscription" data-status="${status}">
<div class="subscription-head"><h3 dir="auto">${product}</h3><span class="state">${isEnding ? states.ending : states[status]}</span></div>
<p class="quiet">${priceOf(reader, subscription)}</p>
<p data-testid="outlook">${outlook(reader, subscription)}</p>
${newPrice(reader, subscription)}
${links(reader, subscription)}
<div class="actions">${actions(reader, subscription, formToken)}</div>
</li>`
}

/** The subscriptions of a customer, current ones first, with their actions. */
export const subscriptionList = (reader: Reader, all: ReadonlyArray<PortalSubscription>, formToken: string): Html => {
  const [over, living] = [true, false].map((isOver) => all.filter(({ status }) => (status === 'canceled') === isOver))
  return all.length === 0
    ? html`<p>${reader.words.portal.noSubscriptions}</p>`
    : html`<ul class="subscriptions" data-testid="subscriptions">${[...(living ?? []), ...(over ?? [])].map((each) => card(reader, each, formToken))}</ul>`
}
