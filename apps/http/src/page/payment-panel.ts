import { currencyPrice, isPositive } from './browser/amounts.ts'
import { assetCode, assetIssuer } from './browser/words.ts'
import type { CheckoutPage, Quote } from './checkout-page.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { walletUri } from './links.ts'
import { otherAssets } from './other-assets.ts'
import { ownWallet } from './own-wallet.ts'
import { deadline, moment, noQuote, sandboxWallet } from './panel-parts.ts'

/** Shown once the script runs, without which the button does nothing. */
const copyButton = (what: string, target: string): Html =>
  html`<button type="button" class="copy" hidden data-copy="${target}" data-testid="copy-${target}">Copy<span class="visually-hidden"> ${what}</span></button>`

const details = (quote: Quote): Html => {
  const issuer = assetIssuer(quote.asset_id)
  return html`<details class="details">
<summary>Asset and exchange rate</summary>
<dl>
<dt>Asset</dt><dd data-testid="asset">${assetCode(quote.asset_id)}</dd>
${issuer === null ? null : html`<dt>Issuer</dt><dd class="mono" data-testid="issuer">${issuer}</dd>`}
${quote.rates.map((rate) => html`<dt>${rate.pair}</dt><dd>${rate.rate} <span class="quiet">(${rate.source}, ${moment(rate.observed_at)})</span></dd>`)}
</dl>
</details>`
}

/** For a wallet elsewhere, such as an app on the same phone. */
const walletLink = (quote: Quote): Html | null => {
  const uri = quote.sep7_uri === null ? null : walletUri(quote.sep7_uri)
  return uri === null
    ? null
    : html`<a class="button button-secondary" id="open-wallet" data-testid="open-wallet" href="${uri}">Open in a wallet app</a>`
}

const amounts = (quote: Quote): Html => {
  const code = assetCode(quote.asset_id)
  const isPartlyPaid = isPositive(quote.amount_received)
  const price = currencyPrice(quote.currency_code, quote.currency_amount, code)
  return html`<div class="row">
<dt id="amount-label">${isPartlyPaid ? 'Still due' : 'Amount'}</dt>
<dd><span class="amount" id="amount" data-testid="amount" data-value="${quote.amount_due}">${quote.amount_due} ${code}</span>${copyButton('the amount', 'amount')}</dd>
<dd class="quiet" id="received" data-testid="received"${trustedHtml(isPartlyPaid ? '' : ' hidden')}>Received ${quote.amount_received} of ${quote.amount} ${code}</dd>
${price === null ? null : html`<dd class="quiet">for ${price}, held until <time id="quote-end" data-testid="quote-timer" datetime="${quote.valid_until}">${moment(quote.valid_until)}</time></dd>`}
</div>`
}

const instructions = (page: CheckoutPage, quote: Quote, qr: string): Html => html`<div class="instructions">
${ownWallet(page, 'Pay with a wallet')}
<div class="scan">
<div class="qr" id="qr" data-testid="qr" role="img" aria-label="QR code of this payment, for a Stellar wallet">${trustedHtml(qr)}</div>
<p class="quiet">Scan with a Stellar wallet</p>
</div>
${sandboxWallet(page, 'Pay with a sandbox wallet')}
${walletLink(quote)}
${otherAssets(page)}
<dl class="rows">
${amounts(quote)}
<div class="row">
<dt>Address</dt>
<dd><span class="mono" id="address" data-testid="address">${quote.destination}</span>${copyButton('the address', 'address')}</dd>
</div>
<div class="row">
<dt>Memo (text)</dt>
<dd><span class="mono" id="memo" data-testid="memo">${quote.memo}</span>${copyButton('the memo', 'memo')}</dd>
</div>
</dl>
<p class="warning" data-testid="memo-warning"><strong>The memo is required.</strong> Without it nobody can tell what your payment is for.</p>
<p class="problem" id="quote-problem" data-testid="quote-problem" role="alert" hidden></p>
${details(quote)}
</div>`

/** How to pay: amount, destination and memo. Complete without the script. */
export const paymentPanel = (page: CheckoutPage, qr: string | null): Html => html`${
  page.quote === null || qr === null ? noQuote(page) : instructions(page, page.quote, qr)
}
${deadline(page)}
<noscript><p class="notice">This page does not follow your payment by itself without JavaScript. Reload it after paying.</p></noscript>`
