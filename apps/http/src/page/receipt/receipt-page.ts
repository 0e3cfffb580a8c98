import type { Receipt } from '@quittance/billing'
import { type Html, html } from '../html.ts'
import { documentOf } from '../layout.ts'
import type { Reader } from '../reader.ts'
import { emblem, sellerDetails } from '../seller.ts'
import { badgeOf, type Line, type Section, type Showing, sectionsOf } from './receipt-lines.ts'

const shownValue = ({ value, href = null, isCode = false }: Line): Html => {
  const text = isCode ? html`<span class="mono" dir="ltr">${value}</span>` : html`<bdi>${value}</bdi>`
  return href === null ? text : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`
}

const sectionOf = ({ name, lines }: Section): Html => html`<h2>${name}</h2>
<dl class="rows">${lines.map((line) => html`<div class="row"><dt>${line.label}</dt><dd>${shownValue(line)}</dd></div>`)}</dl>`

/** A receipt as a page that can be printed. `file` is the address of the same as PDF. */
export const renderReceipt = (receipt: Receipt, showing: Showing, file: string): string => {
  const { merchant, seller } = receipt
  const { reader } = showing
  const words = reader.words.receipt
  const badge = badgeOf(receipt, showing)
  return documentOf(
    reader,
    `${words.title} · ${merchant}`,
    html`<main class="page page-narrow">
<article class="card receipt" data-testid="receipt">
<div class="merchant">${emblem(merchant, seller.logo)}<h1 class="merchant-name" dir="auto">${merchant}</h1>${badge === null ? null : html`<p class="badge">${badge}</p>`}</div>
${sellerDetails(reader, seller)}
${sectionsOf(receipt, showing).map(sectionOf)}
<p class="receipt-file"><a class="button" href="${file}" data-testid="receipt-file">${words.download}</a></p>
</article>
</main>`,
    { hasScript: false },
  )
}

/** The page for an address that nobody made, and for what was not paid. It repeats nothing of its address. */
export const renderNoReceipt = (reader: Reader): string =>
  documentOf(
    { ...reader, address: null },
    reader.words.receipt.noTitle,
    html`<main class="page page-narrow">
<section class="card notice" data-testid="no-receipt">
<h1>${reader.words.receipt.noHeading}</h1>
<p>${reader.words.receipt.noText}</p>
</section>
</main>`,
    { hasScript: false },
  )
