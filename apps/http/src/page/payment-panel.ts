import { currencyPrice, isPositive } from './browser/amounts.ts'
import { assetCode, assetIssuer } from './browser/words.ts'
import type { CheckoutPage, Quote } from './checkout-page.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { walletUri } from './links.ts'
import { otherAssets } from './other-assets.ts'
import { ownWallet } from './own-wallet.ts'
import { deadline, noQuote, sandboxWallet } from './panel-parts.ts'
import { amountFor, momentFor, type Reader } from './reader.ts'

/** Shown once the script runs, without which the button does nothing. */
export const copyButton = ({ script }: Reader, what: string, target: string): Html =>
  html`<button type="button" class="copy" hidden data-copy="${target}" data-testid="copy-${target}">${script.copy}<span class="visually-hidden"> ${what}</span></button>`

const details = (reader: Reader, quote: Quote): Html => {
  const issuer = assetIssuer(quote.asset_id)
  const { pay } = reader.words
  return html`<details class="details">
<summary>${pay.details}</summary>
<dl>
<dt>${pay.asset}</dt><dd data-testid="asset">${assetCode(quote.asset_id)}</dd>
${issuer === null ? null : html`<dt>${pay.issuer}</dt><dd class="mono" dir="ltr" data-testid="issuer">${issuer}</dd>`}
${quote.rates.map((rate) => html`<dt><bdi>${rate.pair}</bdi></dt><dd><bdi>${amountFor(reader, String(rate.rate))}</bdi> <span class="quiet">(<bdi>${rate.source}</bdi>, ${momentFor(reader, rate.observed_at)})</span></dd>`)}
</dl>
</details>`
}

/** For a wallet elsewhere, such as an app on the same phone. */
const walletLink = ({ words }: Reader, quote: Quote): Html | null => {
  const uri = quote.sep7_uri === null ? null : walletUri(quote.sep7_uri)
  return uri === null
    ? null
    : html`<a class="button button-secondary" id="open-wallet" data-testid="open-wallet" href="${uri}">${words.pay.openWallet}</a>`
}

const amounts = (reader: Reader, quote: Quote): Html => {
  const code = assetCode(quote.asset_id)
  const { words, script } = reader
  const isPartlyPaid = isPositive(quote.amount_received)
  const price = currencyPrice(script.numbers, quote.currency_code, quote.currency_amount, code)
  const end = html`<time id="quote-end" data-testid="quote-timer" datetime="${quote.valid_until}">${momentFor(reader, quote.valid_until)}</time>`
  return html`<div class="row">
<dt id="amount-label">${isPartlyPaid ? script.stillDue : script.amount}</dt>
<dd><span class="amount" dir="ltr" id="amount" data-testid="amount" data-value="${quote.amount_due}">${amountFor(reader, quote.amount_due)} ${code}</span>${copyButton(reader, words.pay.copyAmount, 'amount')}</dd>
<dd class="quiet" id="received" data-testid="received"${trustedHtml(isPartlyPaid ? '' : ' hidden')}>${script.receivedOf(amountFor(reader, quote.amount_received), `${amountFor(reader, quote.amount)} ${code}`)}</dd>
${price === null ? null : html`<dd class="quiet">${words.pay.heldUntil(html`<bdi>${price}</bdi>`, end)}</dd>`}
</div>`
}

const instructions = (page: CheckoutPage, quote: Quote, qr: string): Html => {
  const { reader } = page
  const { pay } = reader.words
  return html`<div class="instructions">
${ownWallet(page, pay.withWallet)}
<div class="scan">
<div class="qr" id="qr" data-testid="qr" role="img" aria-label="${pay.qr}">${trustedHtml(qr)}</div>
<p class="quiet">${pay.scan}</p>
</div>
${sandboxWallet(page, pay.withSandboxWallet)}
${walletLink(reader, quote)}
${otherAssets(page)}
<dl class="rows">
${amounts(reader, quote)}
<div class="row">
<dt>${pay.address}</dt>
<dd><span class="mono" dir="ltr" id="address" data-testid="address">${quote.destination}</span>${copyButton(reader, pay.copyAddress, 'address')}</dd>
</div>
<div class="row">
<dt>${pay.memo}</dt>
<dd><span class="mono" dir="ltr" id="memo" data-testid="memo">${quote.memo}</span>${copyButton(reader, pay.copyMemo, 'memo')}</dd>
</div>
</dl>
<p class="warning" data-testid="memo-warning"><strong>${pay.memoRequired}</strong> ${pay.memoWhy}</p>
<p class="problem" id="quote-problem" data-testid="quote-problem" role="alert" hidden></p>
${details(reader, quote)}
</div>`
}

/** How to pay: amount, destination and memo. Complete without the script. */
export const paymentPanel = (page: CheckoutPage, qr: string | null): Html => html`${
  page.quote === null || qr === null ? noQuote(page) : instructions(page, page.quote, qr)
}
${deadline(page)}
<noscript><p class="notice">${page.reader.words.checkout.paymentWithoutScript}</p></noscript>`
