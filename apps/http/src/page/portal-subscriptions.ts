import type { PortalSubscription } from '@quittance/billing'
import { currencyPrice } from './browser/amounts.ts'
import { type Html, html } from './html.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const dayOf = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${day.format(Date.parse(timestamp))}</time>`

const names: Readonly<Record<PortalSubscription['status'], string>> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Payment failed',
  overdue: 'Payment overdue',
  paused: 'Paused',
  canceled: 'Ended',
}

type Price = Pick<PortalSubscription, 'price_amount_cents' | 'currency_code' | 'interval'>

const priceOf = ({ price_amount_cents, currency_code, interval }: Price): string => {
  const amount = price_amount_cents / 100
  return `${currencyPrice(currency_code, amount, '') ?? `${amount} ${currency_code}`} every ${interval}`
}

/** A new price that waits, with what it takes from the customer. */
const newPrice = ({ status, interval, pending_price_change: waiting }: PortalSubscription): Html | null => {
  if (waiting === null || status === 'canceled') return null
  const { effective_at, needs_consent, accepted_at, without_consent, price_amount_cents, currency_code } = waiting
  const price = priceOf({ price_amount_cents, currency_code, interval })
  const otherwise = without_consent === 'keep' ? 'the present price stays' : 'it ends with the period that is paid for'
  const consent = needs_consent && accepted_at === null ? ` You have to sign for that; otherwise ${otherwise}.` : ''
  return html`<p class="warning" data-testid="new-price">For periods that begin on ${dayOf(effective_at)} or later: ${price}.${consent}</p>`
}

/** One sentence on what happens next. */
const outlook = (subscription: PortalSubscription): Html => {
  const { status, current_period_end, next_renewal_at, cancel_at_period_end, canceled_at, grace_until } = subscription
  const end = dayOf(current_period_end)
  switch (status) {
    case 'trialing':
      return cancel_at_period_end
        ? html`Free until ${end}. It ends then, and nothing is charged.`
        : html`Free until ${end}, then ${priceOf(subscription)}.`
    case 'active':
      return cancel_at_period_end
        ? html`Paid until ${end}. It ends then, and nothing more is charged.`
        : html`Next payment on ${dayOf(next_renewal_at ?? current_period_end)}.`
    case 'past_due':
      return html`The last payment could not be collected.${next_renewal_at === null ? null : html` It is tried again on ${dayOf(next_renewal_at)}, or as soon as your wallet can pay.`}${grace_until === null ? null : html` Access goes on until ${dayOf(grace_until)}.`}`
    case 'overdue':
      return html`The last payment could not be collected, and is not tried again. Pay it to go on.`
    case 'paused':
      if (cancel_at_period_end) return html`It ends on ${end}, and nothing more is charged.`
      return subscription.resuming
        ? html`It goes on as soon as the payment for the next ${subscription.interval} has come.`
        : html`Nothing is charged until you resume it.`
    case 'canceled':
      return html`Ended on ${dayOf(canceled_at ?? current_period_end)}.`
  }
}

/** The effect of cancelling. */
const whatFollows = ({ status, current_period_end }: PortalSubscription): Html => {
  switch (status) {
    case 'trialing':
      return html`It ends with the trial on ${dayOf(current_period_end)}. Nothing is charged.`
    case 'active':
      return html`It ends on ${dayOf(current_period_end)}. Until then nothing changes, and you can change your mind.`
    case 'past_due':
    case 'overdue':
    case 'paused':
    case 'canceled':
      return html`What is paid for stays yours to its end. What is not paid ends at once, for good.`
  }
}

type Action = { readonly name: string; readonly label: string; readonly style: string }
const keep: Action = { name: 'keep', label: 'Keep this subscription', style: 'button' }
const pause: Action = { name: 'pause', label: 'Pause', style: 'button button-secondary' }
const resume: Action = { name: 'resume', label: 'Resume', style: 'button' }
const changeWallet: Action = { name: 'change_wallet', label: 'Pay by another wallet', style: 'button button-secondary' }
const cancel: Action = { name: 'cancel', label: 'Yes, cancel it', style: 'button' }

const button = (subscription: PortalSubscription, formToken: string, { name, label, style }: Action): Html =>
  html`<form method="post" action="/portal/subscriptions/${subscription.id}">
<input type="hidden" name="form_token" value="${formToken}">
<button type="submit" class="${style}" name="action" value="${name}" data-testid="${name}">${label}<span class="visually-hidden">: ${subscription.product}</span></button>
</form>`

const cancelling = (subscription: PortalSubscription, formToken: string): Html =>
  html`<details class="details" data-testid="cancelling">
<summary>Cancel<span class="visually-hidden">: ${subscription.product}</span></summary>
<p>${whatFollows(subscription)}</p>
${button(subscription, formToken, cancel)}
</details>`

/** The actions of the customer, the most useful first. */
const actions = (subscription: PortalSubscription, formToken: string): ReadonlyArray<Html> => {
  const { status, cancel_at_period_end, authorization, resuming } = subscription
  const asButton = (action: Action) => button(subscription, formToken, action)
  // A mandate that was ended from the wallet needs a new signature first.
  if (cancel_at_period_end && status !== 'canceled') return authorization.status === 'revoked' ? [] : [asButton(keep)]
  // A request that is open already can be answered by any wallet.
  const wallet = authorization.update_url === null ? [asButton(changeWallet)] : []
  switch (status) {
    case 'trialing':
    case 'active':
      return [asButton(pause), ...wallet, cancelling(subscription, formToken)]
    case 'past_due':
    case 'overdue':
      return [...wallet, cancelling(subscription, formToken)]
    case 'paused':
      return [...(resuming ? [] : [asButton(resume)]), ...wallet, cancelling(subscription, formToken)]
    case 'canceled':
      return []
  }
}

const whyAgain = ({ status, changing, changingWallet, moving }: PortalSubscription): string => {
  if (moving)
    return 'The contract that your wallet has agreed to is replaced. Nothing changes until you sign the new one.'
  if (changingWallet) return 'Sign with the wallet that is to pay from now on. Until then the present one pays.'
  if (changing) return 'What you have chosen instead begins once your wallet has agreed to its price.'
  const isOwed = status === 'past_due' || status === 'overdue'
  const then = isOwed ? 'What is due is collected then.' : 'You pay nothing by that.'
  return `Your wallet has to agree again before more can be collected. ${then}`
}

const links = (subscription: PortalSubscription): ReadonlyArray<Html> => {
  const { status, invoice_url, authorization } = subscription
  if (status === 'canceled') return []
  const { update_url, cap } = authorization
  return [
    ...(invoice_url === null
      ? []
      : [html`<a class="button" data-testid="invoice" href="${invoice_url}">Pay what is due</a>`]),
    ...(update_url === null
      ? []
      : [
          html`<p class="warning">${whyAgain(subscription)}</p>
<a class="button" data-testid="authorize" href="${update_url}">Sign again</a>`,
        ]),
    ...(authorization.status === 'active'
      ? [html`<p class="quiet">Your wallet allows ${cap} for each payment, and no more.</p>`]
      : []),
  ]
}

const card = (subscription: PortalSubscription, formToken: string): Html =>
  html`<li class="subscription" data-testid="subscription" data-status="${subscription.status}">
<div class="subscription-head"><h3 dir="auto">${subscription.product}</h3><span class="state">${subscription.cancel_at_period_end && subscription.status !== 'canceled' ? 'Ends soon' : names[subscription.status]}</span></div>
<p class="quiet">${priceOf(subscription)}</p>
<p data-testid="outlook">${outlook(subscription)}</p>
${newPrice(subscription)}
${links(subscription)}
<div class="actions">${actions(subscription, formToken)}</div>
</li>`

/** The subscriptions of a customer, current ones first, with their actions. */
export const subscriptionList = (all: ReadonlyArray<PortalSubscription>, formToken: string): Html => {
  const [over, living] = [true, false].map((isOver) => all.filter(({ status }) => (status === 'canceled') === isOver))
  return all.length === 0
    ? html`<p>There is no subscription.</p>`
    : html`<ul class="subscriptions" data-testid="subscriptions">${[...(living ?? []), ...(over ?? [])].map((each) => card(each, formToken))}</ul>`
}
