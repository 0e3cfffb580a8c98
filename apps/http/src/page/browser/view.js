import { isPositive, localAmount } from './amounts.ts'
import { byId, show, write } from './dom.js'
import { mandateLines } from './mandate.ts'
import { words } from './script-words.ts'
import { dayAndTime, timeLeft, timeOfDay } from './time.ts'
import { assetCode, failureText } from './words.ts'

/** @import { Mandate } from './mandate.ts' */
/** @import { PageQuote, Status } from './wire.ts' */
/** @import { PageKind } from './words.ts' */

/** @param {string} amount @param {string} code */
const amountOf = (amount, code) => `${localAmount(words.decimalSign, amount)} ${code}`

/** @param {string} svg */
const showQr = (svg) => {
  const image = new Image()
  image.alt = ''
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  byId('qr')?.replaceChildren(image)
}

/**
 * Shows a renewed price everywhere it stands.
 * @param {PageQuote} quote
 * @param {string | null} qr the QR code of the same quote, as SVG; null where there is none
 */
export const showQuote = (quote, qr) => {
  const code = assetCode(quote.assetId)
  const isPartlyPaid = isPositive(quote.amountReceived)
  write('amount-label', isPartlyPaid ? words.stillDue : words.amount)
  write('amount', amountOf(quote.amountDue, code))
  byId('amount')?.setAttribute('data-value', quote.amountDue)
  show('received', isPartlyPaid)
  write(
    'received',
    words.receivedOf(localAmount(words.decimalSign, quote.amountReceived), amountOf(quote.amount, code)),
  )
  write('address', quote.destination)
  write('memo', quote.memo)
  if (quote.sep7Uri !== null) byId('open-wallet')?.setAttribute('href', quote.sep7Uri)
  byId('quote-end')?.setAttribute('datetime', quote.validUntil)
  if (qr !== null) showQr(qr)
  if (quote.mandate !== null) showMandate(quote.mandate)
}

/** @param {Mandate} mandate */
export const showMandate = (mandate) => {
  for (const [name, line] of Object.entries(mandateLines(words, mandate))) write(`mandate-${name}`, line)
}

/** @typedef {{ assetCode: string, hasQuote: boolean, kind: PageKind }} Shown */

/** @param {Status} status @param {Shown} checkout */
const lineOf = ({ status, amountReceived, amountDue }, { assetCode: code, hasQuote, kind }) => {
  if (status !== 'open') return words.statuses[kind][status]
  if (amountReceived !== null && isPositive(amountReceived)) {
    return words.partlyPaid(amountOf(amountReceived, code), amountOf(amountDue ?? '', code))
  }
  return hasQuote ? words.statuses[kind].open : words.noPrice
}

/** @param {string} status */
const showPanel = (status) => {
  for (const panel of document.querySelectorAll('[data-panel]')) {
    const isOther = panel.getAttribute('data-panel') !== status
    const holdsFocus = panel.contains(document.activeElement)
    panel.toggleAttribute('hidden', isOther)
    // The focused element is gone: focus its replacement.
    if (isOther && holdsFocus) byId('checkout')?.focus()
  }
}

/**
 * Shows where the checkout stands.
 * @param {Status} status
 * @param {Shown} checkout
 */
export const showStatus = (status, checkout) => {
  write('status', lineOf(status, checkout))
  byId('status')?.setAttribute('data-status', status.status)
  byId('checkout')?.setAttribute('data-status', status.status)
  showPanel(status.status)
  write('failure', failureText(words, status.failureReason))
  show('late', status.isLate)
  show('transaction', status.transactionHash !== null)
  write('transaction-hash', status.transactionHash ?? '')
}

/**
 * Writes a deadline with the time that is left; answers how many milliseconds that is.
 * @param {string} id a `time` element, which keeps the deadline in `datetime`
 * @param {number} now milliseconds since 1970
 * @param {string} whenOver what to say once it has passed
 */
export const showDeadline = (id, now, whenOver) => {
  const at = Date.parse(byId(id)?.getAttribute('datetime') ?? '')
  if (Number.isNaN(at)) return Number.POSITIVE_INFINITY
  const left = at - now
  const isSameDay = new Date(at).toDateString() === new Date(now).toDateString()
  const moment = (isSameDay ? timeOfDay : dayAndTime)(words.dates, at)
  write(id, left > 0 ? `${moment} ${words.timeLeft(timeLeft(left))}` : whenOver)
  return left
}
