import { buffer } from 'node:stream/consumers'
import type { Receipt } from '@quittance/billing'
import PDFDocument from 'pdfkit'
import { fontFiles, printable, visualRuns } from './printable.ts'
import { badgeOf, type Section, type Showing, sectionsOf } from './receipt-lines.ts'

type Document = InstanceType<typeof PDFDocument>

const margin = 56
const labelWidth = 130
const size = 10

/** The same receipt as a file. What the font cannot show is marked, and the file says where it can be read. */
export const receiptPdf = async (receipt: Receipt, showing: Showing, page: string): Promise<Buffer> => {
  const { merchant, seller, number, paidAt } = receipt
  const { language, words } = showing.reader
  const document = new PDFDocument({
    size: 'A4',
    margin,
    lang: language,
    info: { Title: `${words.receipt.title} ${number}`, CreationDate: new Date(paidAt) },
  })
  const whole = buffer(document)
  const ink = inkOn(document)
  ink.line(merchant, { isBold: true, size: 16 })
  const badge = badgeOf(receipt, showing)
  if (badge !== null) ink.line(badge, { isBold: true })
  const { legalName, address, taxId, supportContact } = seller
  const lines = [legalName, ...(address?.split('\n') ?? []), taxId === null ? null : `${words.seller.taxId} ${taxId}`]
  for (const each of [...lines, supportContact === null ? null : `${words.seller.help} ${supportContact}`])
    if (each !== null) ink.line(each)
  for (const section of sectionsOf(receipt, showing)) printSection(ink, section)
  if (!ink.isWhole()) {
    ink.gap()
    ink.line(words.receipt.standIn(page))
  }
  document.end()
  return whole
}

const printSection = (ink: Ink, { name, lines }: Section): void => {
  ink.gap()
  ink.line(name, { isBold: true, size: 12 })
  for (const { label, value } of lines) ink.pair(label, value)
}

type Style = { readonly isBold?: boolean; readonly size?: number }

/** Writes from the top of the page to its bottom, and goes on with the next page. */
type Ink = ReturnType<typeof inkOn>
const inkOn = (document: Document) => {
  let isWhole = true
  const width = document.page.width - 2 * margin
  const use = ({ isBold = false, size: points = size }: Style): void => {
    document.font(isBold ? fontFiles.bold : fontFiles.plain).fontSize(points)
  }
  const printed = (given: string, columnWidth: number): ReadonlyArray<string> => {
    const { text, isWhole: isPrinted } = printable(given)
    isWhole = isWhole && isPrinted
    return brokenInto(document, text, columnWidth)
  }
  /** Draws lines into columns beside each other, on a new page where they do not fit, and goes on below. */
  const draw = (...columns: ReadonlyArray<{ readonly left: number; readonly lines: ReadonlyArray<string> }>): void => {
    const height = document.currentLineHeight(true) * 1.2
    const most = Math.max(...columns.map(({ lines }) => lines.length))
    if (document.y + most * height > document.page.height - margin) document.addPage()
    const { y } = document
    for (const { left, lines } of columns)
      for (const [index, line] of lines.entries()) {
        let x = left
        for (const run of visualRuns(line)) {
          document.text(run, x, y + index * height, { lineBreak: false, features: [] })
          x += document.widthOfString(run, { features: [] })
        }
      }
    document.y = y + most * height
  }
  return {
    line: (text: string, style: Style = {}): void => {
      use(style)
      draw({ left: margin, lines: printed(text, width) })
    },
    pair: (label: string, value: string): void => {
      use({})
      const [left, lines] = [margin + labelWidth, printed(value, width - labelWidth)]
      draw({ left: margin, lines: printed(label, labelWidth) }, { left, lines })
    },
    gap: (): void => {
      document.y += size
    },
    isWhole: () => isWhole,
  }
}

/** The lines of a text that fit a width: broken between words, and within words that are longer. */
const brokenInto = (document: Document, text: string, width: number): ReadonlyArray<string> => {
  const fits = (line: string): boolean => document.widthOfString(line, { features: [] }) <= width
  const lines: Array<string> = []
  let line = ''
  for (const word of text.split(' ')) {
    if (fits(line === '' ? word : `${line} ${word}`)) {
      line = line === '' ? word : `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (!fits(line + character)) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...lines, line]
}
