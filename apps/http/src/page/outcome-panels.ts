import { returnUrl } from './browser/redirect.ts'
import { failureText } from './browser/words.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { copyButton } from './payment-panel.ts'
import { addressFor } from './reader.ts'

const panel = (page: CheckoutPage, status: CheckoutPage['status'], content: Html): Html =>
  html`<div class="outcome" data-panel="${status}"${trustedHtml(page.status === status ? '' : ' hidden')}>${content}</div>`

const backLink = (page: CheckoutPage): Html | null => {
  const target = page.redirectUrl === null ? null : returnUrl(page.redirectUrl, page.checkoutId)
  return target === null
    ? null
    : html`<a class="button" id="return-link" data-testid="return-link" href="${target}" dir="auto">${page.reader.words.outcome.back(page.merchantName)}</a>
<p class="quiet" id="return-countdown" data-testid="return-countdown" hidden></p>`
}

/** Where a payment completes the page, now or later; a trial and a new authorisation have none. */
const receiptLink = ({ checkoutId, status, kind, isPaid, quote, reader }: CheckoutPage): Html | null => {
  const isToBePaid = status === 'open' && kind !== 'authorization' && (quote?.mandate?.trial_days ?? 0) === 0
  return isPaid || isToBePaid
    ? html`<p><a href="${addressFor(reader, `/pay/${checkoutId}/receipt`)}" data-testid="receipt">${reader.words.outcome.receipt}</a></p>`
    : null
}

/** All outcomes. The script shows the right one. */
export const outcomePanels = (page: CheckoutPage): Html => {
  const { reader, kind, checkoutId } = page
  const { outcome, pay } = reader.words
  const merchant = html`<bdi>${page.merchantName}</bdi>`
  const completed = html`<p>${outcome[kind](merchant)}</p>
<p id="late" data-testid="late" hidden>${outcome.late}</p>
<dl class="rows" id="transaction" hidden><div class="row">
<dt>${outcome.transaction}</dt>
<dd><span class="mono" dir="ltr" id="transaction-hash" data-testid="transaction-hash"></span>${copyButton(reader, pay.copyHash, 'transaction-hash')}</dd>
</div></dl>
${receiptLink(page)}${backLink(page)}`
  const expired = html`<p>${outcome.expired(merchant)}</p>
<p>${outcome.expiredJustPaid}</p>`
  const reference = html`<span class="mono" dir="ltr" data-testid="reference">${checkoutId}</span>`
  const failed = html`<p id="failure" data-testid="failure">${failureText(reader.script, page.failureReason)}</p>
<p>${outcome.help(merchant, reference)}</p>`
  return html`${panel(page, 'completed', completed)}
${panel(page, 'expired', expired)}
${panel(page, 'failed', failed)}`
}
