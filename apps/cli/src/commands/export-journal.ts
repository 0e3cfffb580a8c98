import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type JournalFormat, journalFormats } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { refused, usageError } from '../command-error.ts'
import { grouped } from '../printing.ts'
import { logLine } from '../progress.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

/** Text is written in pieces of this size, so that a journal of any length takes little memory. */
const piece = 1_000_000

export const exportJournal: Command = {
  name: 'export journal',
  summary: "Writes a merchant's books in double entry, for accountants.",
  explanation: `Each entry comes from one event of the log, and names it, with the payment, refund, payout or exception and the transaction on the
ledger. It balances in each asset and each currency. Prices are those that were recorded. An entry counts at the close time of the
ledger that moved the money; what was learned more than 10 days later counts when it was learned. A range has its own entries
alone, without what accounts held before. The format ledger is for hledger and Ledger; csv has a line for each posting. Nothing is changed.`,
  options: [
    option('--from <time>', 'The beginning: 2026-11, 2026-11-23 or 2026-11-23T12:00Z (UTC). Unless given, all time.'),
    option('--to <time>', 'The end, which is not part of the range, in the same forms.'),
    option('--format <format>', 'How to write it.').choices(['csv', 'ledger', 'json']).default('ledger'),
    option('--out <path>', 'A file to write, which must not exist. Unless given, the journal is printed.'),
    environmentOption,
    merchantOption,
  ],
  needsSoundLog: false,
  example: {
    words: '--from 2026-11 --to 2026-12',
    prints: `2026-11-23 * payment confirmed pay_…
    ; time: 2026-11-23T09:12:31.000Z
    ; event: 7b1c… PaymentConfirmed payment-pay_…@2
    ; transaction: 3f…
    Liabilities:Incoming payments  10.0000000 "USDC:G…"
    Equity:Conversion  -10.0000000 "USDC:G…"
    Equity:Conversion  10.00 "USD"
    Income:Sales  -10.00 "USD"`,
    json: `{"merchant_id":"mer_…","environment":"testnet","from":"2026-11-01T00:00:00.000Z","to":"2026-12-01T00:00:00.000Z",
  "entries":1204,"file":null,"journal":"2026-11-23 * …"}`,
  },
  run: async (line, installation, screen) => {
    const [from, to] = [readTime(line.option('from')), readTime(line.option('to'))]
    if (from === undefined || to === undefined)
      return E.left(usageError('--from and --to take 2026-11, 2026-11-23 or 2026-11-23T12:00Z.'))
    if (from !== null && to !== null && from >= to) return E.left(usageError('--from must be before --to.'))
    const out = line.option('out')
    const path = out === null ? null : resolve(out)
    return forMerchant(line, installation, async (billing, { merchantId, environment }) => {
      const file = path === null ? null : await newFile(path)
      if (path !== null && file === null)
        return E.left(refused('file_exists', `${path} exists already, or cannot be made.`))
      const written = writing(formatOf(line.option('format')), file)
      const request = { environment, merchantId, from, to, after: 0n, most: null, mostRead: null }
      const read = logLine(screen, (entries) => `${grouped(entries)} entries`)
      const found = await billing.journal(request, written.take, (part) => read.show(part, written.count()))()
      read.end()
      const text = await written.end()
      if (E.isLeft(found)) return found
      const entries = written.count()
      const [begins, ends] = [from, to].map((at) => (at === null ? null : new Date(at).toISOString()))
      const json = { merchant_id: merchantId, environment, from: begins, to: ends, entries, file: path, journal: text }
      const done = path === null ? (text ?? '').trimEnd() : `${path}: ${grouped(entries)} entries`
      return E.right({ status: 0, json, text: done })
    })
  },
}

const formatOf = (name: string | null): JournalFormat => {
  switch (name) {
    case 'csv':
      return journalFormats.csv
    case 'json':
      return journalFormats.json
    default:
      return journalFormats.ledger
  }
}

const newFile = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'wx', 0o600)
  } catch {
    return null
  }
}

/** Writes entries to a file as they come; without a file, `end` answers all of the text. */
const writing = (format: JournalFormat, file: FileHandle | null) => {
  let [count, text] = [0, format.head]
  const flush = async () => {
    if (file === null) return
    await file.write(text)
    text = ''
  }
  return {
    count: () => count,
    take: async (entry: Parameters<JournalFormat['entry']>[0]): Promise<void> => {
      text += `${count === 0 ? '' : format.between}${format.entry(entry)}`
      count += 1
      if (text.length > piece) await flush()
    },
    end: async (): Promise<string | null> => {
      text += count === 0 && format !== journalFormats.json ? '' : format.end
      if (file === null) return text
      await flush()
      await file.sync()
      await file.close()
      return null
    },
  }
}
