import { returnUrl } from './browser/redirect.ts'
import { failureText } from './browser/words.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html, trustedHtml } from './html.ts'

const panel = (page: CheckoutPage, status: CheckoutPage['status'], content: Html): Html =>
  html`<div class="outcome" data-panel="${status}"${trustedHtml(page.status === status ? '' : ' hidden')}>${content}</div>`

const backLink = (page: CheckoutPage): Html | null => {
  const target = page.redirectUrl === null ? null : returnUrl(page.redirectUrl, page.checkoutId)
  return target === null
    ? null
    : html`<a class="button" id="return-link" data-testid="return-link" href="${target}" dir="auto">Return to ${page.merchantName}</a>
<p class="quiet" id="return-countdown" data-testid="return-countdown" hidden></p>`
}

/** Where a payment completes the page, now or later; a trial and a new authorisation have none. */
const receiptLink = ({ checkoutId, status, kind, isPaid, quote }: CheckoutPage): Html | null => {
  const isToBePaid = status === 'open' && kind !== 'authorization' && (quote?.mandate?.trial_days ?? 0) === 0
  return isPaid || isToBePaid
    ? html`<p><a href="/pay/${checkoutId}/receipt" data-testid="receipt">Receipt</a></p>`
    : null
}

const thanks = ({ kind, merchantName }: CheckoutPage): Html => {
  switch (kind) {
    case 'payment':
      return html`Thank you. Your payment to <bdi>${merchantName}</bdi> is confirmed.`
    case 'subscription':
      return html`Thank you. Your subscription with <bdi>${merchantName}</bdi> has begun.`
    case 'invoice':
      return html`Thank you. Your payment to <bdi>${merchantName}</bdi> is confirmed, and your subscription goes on.`
    case 'authorization':
      return html`Thank you. Your subscription with <bdi>${merchantName}</bdi> goes on as you have agreed.`
  }
}

/** All outcomes. The script shows the right one. */
export const outcomePanels = (page: CheckoutPage): Html => html`${panel(
  page,
  'completed',
  html`<p>${thanks(page)}</p>
<p id="late" data-testid="late" hidden>Your payment arrived after this checkout had ended, and was accepted.</p>
<dl class="rows" id="transaction" hidden><div class="row">
<dt>Transaction</dt>
<dd><span class="mono" id="transaction-hash" data-testid="transaction-hash"></span><button type="button" class="copy" data-copy="transaction-hash" data-testid="copy-transaction-hash">Copy<span class="visually-hidden"> the transaction hash</span></button></dd>
</div></dl>
${receiptLink(page)}${backLink(page)}`,
)}
${panel(
  page,
  'expired',
  html`<p>Its time ran out and no payment had arrived. Please do not send one now: go back to <bdi>${page.merchantName}</bdi> and start again.</p>
<p>If you have just paid, leave this page open. A payment that was still under way is matched when it arrives, or sent back to the paying account if it can be.</p>`,
)}
${panel(
  page,
  'failed',
  html`<p id="failure" data-testid="failure">${failureText(page.failureReason)}</p>
<p>Please contact <bdi>${page.merchantName}</bdi> if you need help. The reference is <span class="mono" data-testid="reference">${page.checkoutId}</span></p>`,
)}`
