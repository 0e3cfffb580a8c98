import type { CheckoutPage, Seller } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import type { Reader } from './reader.ts'

/** Where to ask for help: a link where a browser can follow it. */
const contact = (text: string): Html => {
  const target = contactUrl(text)
  return target === null
    ? html`<bdi>${text}</bdi>`
    : html`<a href="${target}" rel="noopener noreferrer"><bdi>${text}</bdi></a>`
}

const contactUrl = (text: string): string | null => {
  if (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(text)) return `mailto:${encodeURIComponent(text)}`
  const url = URL.parse(text)
  return url?.protocol === 'https:' ? url.href : null
}

/** A merchant's texts keep their own direction, line by line. */
const lines = (text: string): Html => html`${text.split('\n').map((line) => html`<span dir="auto">${line}</span>`)}`

/** The merchant's legal name, address, tax id and contact; null if there is none of them. */
export const sellerDetails = (
  { words: { seller } }: Reader,
  { legalName, address, taxId, supportContact }: Seller,
): Html | null =>
  legalName === null && address === null && taxId === null && supportContact === null
    ? null
    : html`<address class="seller" data-testid="seller">
${legalName === null ? null : html`<p dir="auto" data-testid="legal-name">${legalName}</p>`}
${address === null ? null : html`<p class="seller-address">${lines(address)}</p>`}
${taxId === null ? null : html`<p>${seller.taxId} <bdi>${taxId}</bdi></p>`}
${supportContact === null ? null : html`<p data-testid="support">${seller.help} ${contact(supportContact)}</p>`}
</address>`

/** The merchant's logo, or the first letter of its name. */
export const emblem = (merchantName: string, logo: string | null): Html =>
  logo === null
    ? html`<span class="monogram" aria-hidden="true">${(Array.from(merchantName.trim())[0] ?? '·').toLocaleUpperCase('en')}</span>`
    : html`<img class="logo" data-testid="logo" src="${logo}" alt="">`

/** The terms that a customer accepts; null if there are none. They stand before everything that one pays with. */
export const termsLine = ({ terms, kind, merchantName, reader }: CheckoutPage): Html | null => {
  if (terms === null) return null
  const { termsByPaying, termsBySigning, termsOf } = reader.words.seller
  const link = html`<a href="${terms.url}" target="_blank" rel="noopener noreferrer">${termsOf(html`<bdi>${merchantName}</bdi>`)}</a>`
  const line = (kind === 'subscription' ? termsBySigning : termsByPaying)(link, html`<bdi>${terms.version}</bdi>`)
  return html`<p class="quiet terms" data-testid="terms">${line}</p>`
}
