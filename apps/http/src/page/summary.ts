import { currencyPrice } from './browser/amounts.ts'
import { readMandate } from './browser/mandate.ts'
import { assetCode } from './browser/words.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import { imageUrl } from './links.ts'
import { amountFor } from './reader.ts'
import { emblem } from './seller.ts'

const MOST_IMAGES = 4

const networkBadge = ({ environment, isSandbox, reader }: CheckoutPage): Html | null => {
  const { sandbox, testnet } = reader.words.checkout
  if (isSandbox) return html`<p class="badge" data-testid="network-badge">${sandbox}</p>`
  if (environment === 'testnet') return html`<p class="badge" data-testid="network-badge">${testnet}</p>`
  return null
}

/** The product and its merchant. Merchants' texts keep their own direction and cannot reverse that of other text. */
export const summary = (page: CheckoutPage): Html => {
  const { quote, reader } = page
  const images = page.images.flatMap((image) => imageUrl(image) ?? []).slice(0, MOST_IMAGES)
  const code = quote === null ? null : assetCode(quote.asset_id)
  const price =
    quote === null || code === null
      ? null
      : (currencyPrice(reader.script.numbers, quote.currency_code, quote.currency_amount, code) ??
        amountFor(reader, `${quote.amount} ${code}`))
  const every = readMandate(quote?.mandate ?? null)
  return html`<header class="summary">
<div class="merchant">${emblem(page.merchantName, page.seller.logo)}
<p class="merchant-name" dir="auto" data-testid="merchant">${page.merchantName}</p>${networkBadge(page)}</div>
<div class="product">
<h1 dir="auto" data-testid="product">${page.productName ?? reader.words.checkout.paymentTo(page.merchantName)}</h1>
${price === null ? null : html`<p class="price" data-testid="price"><bdi>${price}</bdi>${every === null ? null : html` <span class="quiet">${reader.script.every(every.interval, every.intervalCount)}</span>`}</p>`}
${page.description === null ? null : html`<p class="description" dir="auto">${page.description}</p>`}
</div>
${
  images.length === 0
    ? null
    : html`<div class="images">${images.map((image) => html`<img src="${image}" alt="" referrerpolicy="no-referrer" loading="lazy">`)}</div>`
}
</header>`
}
