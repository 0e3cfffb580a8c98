import type { Receipt } from '@quittance/billing'
import { type Html, html } from '../html.ts'
import { documentOf } from '../layout.ts'
import { emblem, sellerDetails } from '../seller.ts'
import { badgeOf, type Line, type Section, type Showing, sectionsOf } from './receipt-lines.ts'

const shownValue = ({ value, href = null, isCode = false }: Line): Html => {
  const text = isCode ? html`<span class="mono">${value}</span>` : html`<bdi>${value}</bdi>`
  return href === null ? text : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`
}

const sectionOf = ({ name, lines }: Section): Html => html`<h2>${name}</h2>
<dl class="rows">${lines.map((line) => html`<div class="row"><dt>${line.label}</dt><dd>${shownValue(line)}</dd></div>`)}</dl>`

/** A receipt as a page that can be printed. `file` is the address of the same as PDF. */
export const renderReceipt = (receipt: Receipt, showing: Showing, file: string): string => {
  const { merchant, seller } = receipt
  const badge = badgeOf(receipt, showing)
  return documentOf(
    `Receipt · ${merchant}`,
    html`<main class="page page-narrow">
<article class="card receipt" data-testid="receipt">
<div class="merchant">${emblem(merchant, seller.logo)}<h1 class="merchant-name" dir="auto">${merchant}</h1>${badge === null ? null : html`<p class="badge">${badge}</p>`}</div>
${sellerDetails(seller)}
${sectionsOf(receipt, showing).map(sectionOf)}
<p class="receipt-file"><a class="button" href="${file}" data-testid="receipt-file">Download as PDF</a></p>
</article>
</main>`,
    { hasScript: false },
  )
}

/** The page for an address that nobody made, and for what was not paid. */
export const renderNoReceipt = (): string =>
  documentOf(
    'Receipt not found',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="no-receipt">
<h1>There is no receipt here</h1>
<p>The address may be incomplete, or the payment is not confirmed yet.</p>
</section>
</main>`,
    { hasScript: false },
  )
