import type { FindingInWords } from '@quittance/billing'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import type { Command } from '../command.ts'
import { complaintOf } from '../failures.ts'
import { committedContract } from './committed-contract.ts'

/** Whatever prevents a sale, on each network and for each merchant; changes nothing. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Finds whatever prevents a sale, and says what to do about it.',
  explanation: `Asks every configured network, and reads every merchant's settlement account: nodes that do not answer or are behind,
contracts that are missing or other ones, accounts without XLM, missing rates, accounts and trustlines that are missing.
It changes nothing. The exit status is 1 where something cannot be sold (an error); warnings leave it at 0.`,
  options: [],
  example: {
    words: '',
    prints: `error    testnet  mer_…  The settlement account GB… does not exist on the ledger.
         Send at least 1.51 XLM to GB….
1 error, 0 warnings`,
    json: `{"ok":false,"errors":1,"warnings":0,"findings":[{"environment":"testnet","code":"account_missing","level":"error",
  "subject":"mer_…","message":"…","remedy":"…"}]}`,
  },
  run: (_, site) =>
    site.withBilling((billing) =>
      pipe(
        TE.fromTask(() => import('@quittance/ledger')),
        TE.chain(({ stellarTomlReader }) => async () => {
          const toml = stellarTomlReader()
          try {
            const { wasmHash } = committedContract()
            return await billing.doctor.examine({ wasmHash, readToml: toml.read })()
          } finally {
            await toml.close()
          }
        }),
        TE.bimap(complaintOf, answerOf),
      ),
    ),
}

const answerOf = (found: ReadonlyArray<FindingInWords>): Answer => {
  const errors = found.filter(({ level }) => level === 'error')
  const warnings = found.filter(({ level }) => level === 'warning')
  const findings = [...errors, ...warnings]
  return {
    status: errors.length > 0 ? 1 : 0,
    json: { ok: errors.length === 0, errors: errors.length, warnings: warnings.length, findings },
    text: [...nothingFound(errors.length), ...findings.map(lineOf), counted(errors.length, warnings.length)].join('\n'),
  }
}

const nothingFound = (errors: number): ReadonlyArray<string> => (errors === 0 ? ['Nothing prevents a sale.'] : [])

const lineOf = ({ level, environment, subject, message, remedy }: FindingInWords): string =>
  [
    `${level.padEnd(9)}${environment}  ${subject === null ? '' : `${printable(subject)}  `}${printable(message)}`,
    `         ${printable(remedy)}`,
  ].join('\n')

const counted = (errors: number, warnings: number): string =>
  `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
