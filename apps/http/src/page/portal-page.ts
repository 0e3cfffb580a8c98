import type { PortalPlace, PortalView, PortalVisit } from '@quittance/billing'
import { currencyPrice } from './browser/amounts.ts'
import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import { emailForm } from './portal-email.ts'
import { subscriptionList } from './portal-subscriptions.ts'
import { sellerDetails } from './seller.ts'

type Payment = PortalView['payments'][number]

const statuses: Readonly<Record<Payment['status'], string>> = {
  pending: 'on its way',
  confirmed: 'paid',
  failed: 'failed',
}

const dayOf = (timestamp: string): string => timestamp.slice(0, 10)

/** The amount paid, or the price of a failed payment. */
const amountOf = ({ amount, amount_cents, currency_code, status }: Payment): string =>
  status === 'failed' && amount_cents !== null && currency_code !== null
    ? (currencyPrice(currency_code, amount_cents / 100, '') ?? amount)
    : amount

const purposes: Readonly<Record<Payment['purpose'], string | null>> = {
  sale: null,
  first_payment: 'First payment',
  renewal: 'Renewal',
  invoice: 'Invoice',
}

/** The name of what was paid for, and which part of it. */
const subjectOf = ({ subject, purpose, period }: Payment): Html => {
  const span = period === null ? null : `${dayOf(period.start)} to ${dayOf(period.end)}`
  const part = [purposes[purpose], span].filter((each) => each !== null).join(', ')
  return html`<span dir="auto">${subject ?? (part === '' ? 'Payment' : '')}</span>${part === '' ? null : html`<span class="payment-part quiet">${part}</span>`}`
}

const paymentRow = (payment: Payment): Html => {
  const { at, status, receipt_url } = payment
  const receipt =
    receipt_url === null ? null : html`<a class="payment-part" href="${receipt_url}" data-testid="receipt">Receipt</a>`
  return html`<tr><td>${subjectOf(payment)}<time class="payment-part quiet" datetime="${at}">${dayOf(at)}</time>${receipt}</td><td>${amountOf(payment)}</td><td>${statuses[status]}</td></tr>`
}

const paymentTable = (payments: ReadonlyArray<Payment>): Html =>
  payments.length === 0
    ? html`<p>There is no payment yet.</p>`
    : html`<table data-testid="payments">
<thead><tr><th scope="col">For, day (UTC)</th><th scope="col">Amount</th><th scope="col">Status</th></tr></thead>
<tbody>${payments.map(paymentRow)}</tbody>
</table>`

const walletList = (wallets: PortalView['wallets']): Html =>
  wallets.length === 0
    ? html`<p>No wallet is proven.</p>`
    : html`<ul data-testid="wallets">${wallets.map(({ address }) => html`<li><code>${address}</code></li>`)}</ul>`

type List = keyof PortalPlace

/** The link that turns one list to its next or first page; the other list stays. */
const addressOf = (place: PortalPlace, list: List, after: string | null): string => {
  const query = new URLSearchParams()
  for (const [name, id] of Object.entries({ ...place, [list]: after })) if (id !== null) query.set(`${name}_after`, id)
  return query.size === 0 ? '/portal' : `/portal?${query}`
}

const turning = (place: PortalPlace, list: List, more: string | null): Html | null => {
  const newest = place[list] === null ? null : html`<a href="${addressOf(place, list, null)}">Newest</a>`
  const older =
    more === null ? null : html`<a href="${addressOf(place, list, more)}" data-testid="older-${list}">Older</a>`
  return newest === null && older === null ? null : html`<p>${newest} ${older}</p>`
}

const linkBack = (merchant: string, returnUrl: string | null): Html | null =>
  returnUrl === null
    ? null
    : html`<p><a href="${returnUrl}" rel="noreferrer" data-testid="return">Back to <span dir="auto">${merchant}</span></a></p>`

/**
 * Subscriptions, payments and wallets of a customer, without a name. Every form carries `formToken`; `returnUrl` is where
 * the link back leads, if anywhere; `problem` says why a request failed.
 */
export const renderPortal = (
  { merchant, seller, subscriptions, payments, wallets, canChangeEmail, more }: PortalView,
  { formToken, returnUrl }: Pick<PortalVisit, 'formToken' | 'returnUrl'>,
  place: PortalPlace,
  problem: string | null = null,
): string =>
  documentOf(
    merchant,
    html`<main class="page page-narrow">
<section class="card portal" data-testid="portal">
${linkBack(merchant, returnUrl)}
<h1 dir="auto">${merchant}</h1>
${problem === null ? null : html`<p class="problem" role="alert" data-testid="portal-problem">${problem}</p>`}
<h2>Your subscriptions</h2>
${subscriptionList(subscriptions, formToken)}
${turning(place, 'subscriptions', more.subscriptions)}
<h2>Your payments</h2>
${paymentTable(payments)}
${turning(place, 'payments', more.payments)}
<h2>Your wallets</h2>
${walletList(wallets)}
${canChangeEmail ? emailForm(formToken) : null}
${seller === null ? null : sellerDetails(seller)}
</section>
</main>`,
    { hasScript: false },
  )

/** The page while the store cannot answer: the outcome of a request is unknown. */
export const renderTroubledPortal = (problem: string): string =>
  documentOf(
    'Please try again',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="portal-troubled">
<h1>Please try again</h1>
<p role="alert">${problem}</p>
<p><a href="/portal">Back to what is yours</a></p>
</section>
</main>`,
    { hasScript: false },
  )

/** The page for a request that did not come from this page's forms. */
export const renderRefusedPortal = (problem: string): string =>
  documentOf(
    'This cannot be done',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="portal-refused">
<h1>This cannot be done</h1>
<p role="alert">${problem}</p>
<p><a href="/portal">Back to what is yours</a></p>
</section>
</main>`,
    { hasScript: false },
  )

/** The page for a used or expired invitation, and for an ended session. */
export const renderClosedPortal = (): string =>
  documentOf(
    'This page is closed',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="portal-closed">
<h1>This page is closed</h1>
<p>The link to it works once, and for a few minutes. Please go back to where you came from and open it from there again.</p>
</section>
</main>`,
    { hasScript: false },
  )
