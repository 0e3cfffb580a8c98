import type { Receipt } from '@quittance/billing'
import { extractText, getDocumentProxy } from 'unpdf'
import { inEnglish } from '../testing/readers.ts'
import { hash, receipt } from '../testing/receipt.ts'
import { visualRuns } from './printable.ts'
import { renderReceipt } from './receipt-page.ts'
import { receiptPdf } from './receipt-pdf.ts'

const showing = {
  reader: inEnglish,
  isSandbox: false,
  explorer: (_: string, of: string) => `https://explorer.example/tx/${of}`,
}
const page = 'https://pay.example/receipts/x'

const textOf = async (shown: Receipt): Promise<string> => {
  const file = await receiptPdf(shown, showing, page)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)), { mergePages: true })
  return text.replaceAll(/\s+/g, ' ')
}

describe('a receipt', () => {
  it('says the same as a page and as a file', async () => {
    const said = [
      'Aurora Coffee GmbH',
      'Hafenweg 1',
      '20457 Hamburg',
      'Tax id',
      'help@aurora.example',
      receipt.number,
      '20 November 2026 at 10:00:05 UTC',
      'Ada Łovelace',
      'ada@shop.example',
      'A book club',
      'Renewal',
      '20 November 2026 to 20 December 2026',
      '€12.50',
      '12.6 USDC',
      'EUR/USDC 1.008, bank, 20 November 2026 at 10:00:00 UTC',
    ]
    const [file, markup] = [await textOf(receipt), renderReceipt(receipt, showing, '/file')]
    expect(said.filter((each) => !markup.includes(each))).toEqual([])
    expect(said.filter((each) => !file.includes(each))).toEqual([])
    expect(file.replaceAll(' ', '')).toContain(hash)
    expect(markup).toContain(`<a href="https://explorer.example/tx/${hash}"`)
    expect(file).not.toContain('□')
  })

  it('shows what was given back, and that a payment without the person was made', async () => {
    const refunds = [
      {
        id: 'rf_1',
        amount: '12.6 USDC',
        status: 'succeeded',
        succeeded_at: '2026-11-21T09:00:00.000Z',
        transaction_hash: hash,
      },
    ] as const
    const file = await textOf({ ...receipt, customer: null, refunds })
    expect(file).toContain('Given back Amount 12.6 USDC Given back 21 November 2026 at 09:00:00 UTC')
    expect(file).not.toContain('Ada')
  })

  it('prints names in many scripts, and marks what its font lacks', async () => {
    const inMany = await textOf({ ...receipt, customer: { name: 'Ωμέγα Жанна Ångström', email: null } })
    expect(inMany).toContain('Ωμέγα Жанна Ångström')
    const lacking = await textOf({ ...receipt, customer: { name: '山田 太郎', email: null } })
    expect(lacking).toContain('□□ □□')
    expect(lacking).toContain(`□ stands for characters that this file cannot show. They are at ${page}`)
  })

  it('takes whatever a name holds as text', async () => {
    const name = '<img src=x onerror=alert(1)> \u202egnp.exe'
    const hostile = { ...receipt, merchant: name, subject: name, customer: { name, email: name } }
    expect(renderReceipt(hostile, showing, '/file')).not.toContain('<img src=x')
    expect(await textOf(hostile)).toContain('<img src=x onerror=alert(1)> gnp.exe')
    expect((await textOf({ ...receipt, subject: 'x'.repeat(5_000) })).replaceAll(' ', '')).toContain('x…')
  })
})

it.each([
  ['from left to right', 'Ada Lovelace', ['Ada Lovelace']],
  ['from right to left', 'שלום עולם', ['שלום עולם']],
  ['in both directions', 'Ada שלום 12', ['Ada ', '12', 'שלום ']],
])('lays out a line %s', (_, line, runs) => expect(visualRuns(line)).toEqual(runs))
