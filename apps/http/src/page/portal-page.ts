import type { PortalPlace, PortalView, PortalVisit } from '@quittance/billing'
import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import { emailForm } from './portal-email.ts'
import { subscriptionList } from './portal-subscriptions.ts'
import { addressFor, amountFor, dayFor, priceFor, type Reader } from './reader.ts'
import { sellerDetails } from './seller.ts'

type Payment = PortalView['payments'][number]

const shortDay = (reader: Reader, timestamp: string): string => dayFor(reader, timestamp, 'medium')

/** The amount paid, or the price of a failed payment. */
const amountOf = (reader: Reader, { amount, amount_cents, currency_code, status }: Payment): string =>
  status === 'failed' && amount_cents !== null && currency_code !== null
    ? priceFor(reader, currency_code, amount_cents / 100)
    : amountFor(reader, amount)

/** The name of what was paid for, and which part of it. */
const subjectOf = (reader: Reader, { subject, purpose, period }: Payment): Html => {
  const { receipt } = reader.words
  const span = period === null ? null : receipt.span(shortDay(reader, period.start), shortDay(reader, period.end))
  const name = purpose === 'sale' ? null : receipt.purposes[purpose]
  const part = [name, span].filter((each) => each !== null).join(', ')
  return html`<span dir="auto">${subject ?? (part === '' ? receipt.payment : '')}</span>${part === '' ? null : html`<span class="payment-part quiet">${part}</span>`}`
}

const paymentRow = (reader: Reader, payment: Payment): Html => {
  const { at, status, receipt_url } = payment
  const { outcome, portal } = reader.words
  const receipt =
    receipt_url === null
      ? null
      : html`<a class="payment-part" href="${addressFor(reader, receipt_url)}" data-testid="receipt">${outcome.receipt}</a>`
  return html`<tr><td>${subjectOf(reader, payment)}<time class="payment-part quiet" datetime="${at}">${shortDay(reader, at)}</time>${receipt}</td><td><bdi>${amountOf(reader, payment)}</bdi></td><td>${portal.statuses[status]}</td></tr>`
}

const paymentTable = (reader: Reader, payments: ReadonlyArray<Payment>): Html => {
  const { noPayments, columns } = reader.words.portal
  return payments.length === 0
    ? html`<p>${noPayments}</p>`
    : html`<table data-testid="payments">
<thead><tr><th scope="col">${columns.subject}</th><th scope="col">${columns.amount}</th><th scope="col">${columns.status}</th></tr></thead>
<tbody>${payments.map((payment) => paymentRow(reader, payment))}</tbody>
</table>`
}

const walletList = ({ words }: Reader, wallets: PortalView['wallets']): Html =>
  wallets.length === 0
    ? html`<p>${words.portal.noWallets}</p>`
    : html`<ul data-testid="wallets">${wallets.map(({ address }) => html`<li><code dir="ltr">${address}</code></li>`)}</ul>`

type List = keyof PortalPlace

/** The link that turns one list to its next or first page; the other list stays. */
const addressOf = (reader: Reader, place: PortalPlace, list: List, after: string | null): string => {
  const query = new URLSearchParams()
  for (const [name, id] of Object.entries({ ...place, [list]: after })) if (id !== null) query.set(`${name}_after`, id)
  return addressFor(reader, query.size === 0 ? '/portal' : `/portal?${query}`)
}

const turning = (reader: Reader, place: PortalPlace, list: List, more: string | null): Html | null => {
  const { portal } = reader.words
  const newest =
    place[list] === null ? null : html`<a href="${addressOf(reader, place, list, null)}">${portal.newest}</a>`
  const older =
    more === null
      ? null
      : html`<a href="${addressOf(reader, place, list, more)}" data-testid="older-${list}">${portal.older}</a>`
  return newest === null && older === null ? null : html`<p>${newest} ${older}</p>`
}

const linkBack = ({ words }: Reader, merchant: string, returnUrl: string | null): Html | null =>
  returnUrl === null
    ? null
    : html`<p><a href="${returnUrl}" rel="noreferrer" data-testid="return">${words.portal.back(html`<span dir="auto">${merchant}</span>`)}</a></p>`

/**
 * Subscriptions, payments and wallets of a customer, without a name. Every form carries `formToken`; `returnUrl` is where
 * the link back leads, if anywhere; `problem` says why a request failed.
 */
export const renderPortal = (
  reader: Reader,
  { merchant, seller, subscriptions, payments, wallets, canChangeEmail, more }: PortalView,
  { formToken, returnUrl }: Pick<PortalVisit, 'formToken' | 'returnUrl'>,
  place: PortalPlace,
  problem: string | null = null,
): string => {
  const { portal } = reader.words
  return documentOf(
    reader,
    merchant,
    html`<main class="page page-narrow">
<section class="card portal" data-testid="portal">
${linkBack(reader, merchant, returnUrl)}
<h1 dir="auto">${merchant}</h1>
${problem === null ? null : html`<p class="problem" role="alert" data-testid="portal-problem">${problem}</p>`}
<h2>${portal.subscriptions}</h2>
${subscriptionList(reader, subscriptions, formToken)}
${turning(reader, place, 'subscriptions', more.subscriptions)}
<h2>${portal.payments}</h2>
${paymentTable(reader, payments)}
${turning(reader, place, 'payments', more.payments)}
<h2>${portal.wallets}</h2>
${walletList(reader, wallets)}
${canChangeEmail ? emailForm(reader, formToken) : null}
${seller === null ? null : sellerDetails(reader, seller)}
</section>
</main>`,
    { hasScript: false },
  )
}

const noticeOf = (reader: Reader, heading: string, testId: string, text: Html): string =>
  documentOf(
    reader,
    heading,
    html`<main class="page page-narrow">
<section class="card notice" data-testid="${testId}">
<h1>${heading}</h1>
${text}
</section>
</main>`,
    { hasScript: false },
  )

const problemOf = (reader: Reader, problem: string): Html => html`<p role="alert">${problem}</p>
<p><a href="${addressFor(reader, '/portal')}">${reader.words.portal.backToPortal}</a></p>`

/** The page while the store cannot answer: the outcome of a request is unknown. */
export const renderTroubledPortal = (reader: Reader, problem: string): string =>
  noticeOf(reader, reader.words.portal.tryAgain, 'portal-troubled', problemOf(reader, problem))

/** The page for a request that did not come from this page's forms. */
export const renderRefusedPortal = (reader: Reader, problem: string): string =>
  noticeOf(reader, reader.words.portal.refused, 'portal-refused', problemOf(reader, problem))

/** The page for a used or expired invitation, and for an ended session. It repeats nothing of its address. */
export const renderClosedPortal = (reader: Reader): string =>
  noticeOf(
    { ...reader, address: null },
    reader.words.portal.closed,
    'portal-closed',
    html`<p>${reader.words.portal.closedText}</p>`,
  )
