import type { FindingInWords } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, CommandResult } from '../command.ts'
import { counted, printable } from '../printing.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Finds what prevents a sale, and suggests a remedy.',
  explanation: `Asks every configured network, and reads every merchant's settlement account. Finds nodes that do not answer or lag,
missing or unexpected contracts, accounts without XLM, and missing rates, accounts and trustlines.
It changes nothing. The exit status is 1 if an error prevents a sale; warnings leave it at 0.`,
  options: [],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `error    testnet  mer_…  The settlement account GB… does not exist on the ledger.
         Send at least 1.51 XLM to GB….
1 error, 0 warnings`,
    json: `{"ok":false,"errors":1,"warnings":0,"findings":[{"environment":"testnet","code":"account_missing","level":"error",
  "subject":"mer_…","message":"…","remedy":"…"}]}`,
  },
  run: (_, installation) =>
    installation.withBilling(async (billing) => {
      const { stellarTomlReader } = await import('@quittance/ledger')
      const toml = stellarTomlReader()
      try {
        const { committedContract } = await import('@quittance/host')
        const { sha256: wasmHash } = committedContract()
        const found = await billing.doctor.examine({ wasmHash, readToml: toml.read })()
        return E.isLeft(found) ? found : E.right(resultOf(found.right))
      } finally {
        await toml.close()
      }
    }),
}

const resultOf = (found: ReadonlyArray<FindingInWords>): CommandResult => {
  const errors = found.filter(({ level }) => level === 'error')
  const warnings = found.filter(({ level }) => level === 'warning')
  const findings = [...errors, ...warnings, ...found.filter(({ level }) => level === 'note')]
  return {
    status: errors.length > 0 ? 1 : 0,
    json: { ok: errors.length === 0, errors: errors.length, warnings: warnings.length, findings },
    text: [
      ...(errors.length === 0 ? ['Nothing prevents a sale.'] : []),
      ...findings.map(textOf),
      `${counted(errors.length, 'error')}, ${counted(warnings.length, 'warning')}`,
    ].join('\n'),
  }
}

const textOf = ({ level, environment, subject, message, remedy }: FindingInWords): string =>
  [
    `${level.padEnd(9)}${environment}  ${subject === null ? '' : `${printable(subject)}  `}${printable(message)}`,
    `         ${printable(remedy)}`,
  ].join('\n')
