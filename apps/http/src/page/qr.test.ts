import QRCode from 'qrcode'
import { renderQr } from './qr.ts'
import { quote } from './testing/pages.ts'

const QUIET_ZONE = 4

/** The dark squares of a drawing made of horizontal strokes, as `column,row`. */
const darkSquares = (svg: string): ReadonlyArray<string> => {
  const path = /stroke="#000000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const squares: Array<string> = []
  let column = 0
  let row = 0
  for (const [, command, first = '', second = ''] of path.matchAll(/([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?/g)) {
    if (command === 'h') {
      for (let step = 0; step < Number(first); step += 1) squares.push(`${column + step},${Math.floor(row)}`)
      column += Number(first)
    } else {
      column = command === 'M' ? Number(first) : column + Number(first)
      row = command === 'M' ? Number(second) : row + Number(second)
    }
  }
  return squares.sort()
}

const expectedSquares = (text: string): ReadonlyArray<string> => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'L' })
  return Array.from({ length: modules.size * modules.size }, (_, index) => index)
    .filter((index) => modules.data[index] === 1)
    .map((index) => `${(index % modules.size) + QUIET_ZONE},${Math.floor(index / modules.size) + QUIET_ZONE}`)
    .sort()
}

describe('the QR code', () => {
  it('encodes the URI in the QR code, with a quiet zone around it', async () => {
    const squares = darkSquares(await renderQr(quote.sep7_uri))
    expect(squares).toEqual(expectedSquares(quote.sep7_uri))
    expect(squares).not.toEqual(expectedSquares(`${quote.sep7_uri}0`))
  })
})
