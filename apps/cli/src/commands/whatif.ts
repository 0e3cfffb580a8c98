import type { WhatIfReport } from '@quittance/billing'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option, type ParsedLine } from '../command.ts'
import { usageError } from '../command-error.ts'
import { policyIn } from '../policy.ts'
import { counted, grouped, printable, table } from '../printing.ts'
import { progressLines } from '../progress.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { figuresJson, figuresRows } from './whatif-figures.ts'
import { whatifPage } from './whatif-page.ts'
import { assumptionsOf, otherPolicyFields } from './whatif-policy.ts'

export const whatif: Command = {
  name: 'whatif',
  summary: 'Replays recorded subscriptions under another policy.',
  explanation: `Says what subscriptions would have come to under another policy, beside what they came to. The file holds what is
different, as for \`merchant set\`: access_grace_days, dunning_schedule, after_retries, rates_after. Besides it may hold prices,
such as {"prod_…": {"amount": "12.5", "from": "2026-03"}}, and longest_pause_days. Each subscription is first
reproduced from its record, event by event; one that is not is named, and left out of the sums. Where the record is silent, a
charge ends as the nearest recorded one: the output counts these assumptions. CONTROL is the replay by the recorded
policies with the same assumptions: how far it is from RECORDED is the error of the method. Nothing is changed.`,
  options: [
    mandatoryOption('--policy <file.json>', 'The file with the policy.'),
    mandatoryOption(
      '--from <time>',
      'When the policy begins to count: 2026-11, 2026-11-23 or 2026-11-23T12:00Z (UTC).',
    ),
    option('--to <time>', 'The end, which is not part of the range, in the same forms. Unless given, now.'),
    environmentOption,
    option('--merchant <id>', 'Only the subscriptions of this merchant.'),
    new Option('--csv', 'Prints the figures as CSV.'),
    new Option('--html', 'Prints a page for a browser.').conflicts('csv'),
  ],
  needsSoundLog: false,
  example: {
    words: '--policy policy.json --from 2026-01 --to 2026-07',
    prints: `120 of 120 subscriptions reproduced. 14 of them would have lived otherwise.
31 of 702 ends of charges are assumed, after the nearest recorded one.

                      RECORDED  WHAT IF  DIFFERENCE  CONTROL
revenue, USD          6820      6910     +90         6820
charges tried         702       733      +31         702
…`,
    json: '{"environment":"testnet","from":"2026-01-01T00:00:00.000Z","to":"2026-07-01T00:00:00.000Z","policy_file":"policy.json","subscriptions":120,"reproduced":120,"otherwise":14,"ends":702,"assumed":31,"without_effect":0,"recorded":{"revenue":{"USD":"6820"},"attempts":702,…},"what_if":{…},"control":{…},"left_out":[],"assumes":[]}',
  },
  run: async (line, installation, screen) => {
    const [from, end] = [readTime(line.option('from')), readTime(line.option('to'))]
    if (from === undefined || from === null || end === undefined) {
      return E.left(usageError('--from and --to take 2026-11, 2026-11-23 or 2026-11-23T12:00Z.'))
    }
    if (end !== null && from >= end) return E.left(usageError('--from must be before --to.'))
    const policy = await policyIn(line.required('policy'), otherPolicyFields)
    if (E.isLeft(policy)) return policy
    const { prices = [], longestPauseDays = null, ...rules } = policy.right
    const assumes = assumptionsOf(prices, longestPauseDays)
    return inEnvironment(line, installation, async (billing, { environment, at }) => {
      const lines = progressLines(screen, () => performance.now())
      const found = await billing.whatIf({
        ...{ environment, merchantId: line.option('merchant'), policy: rules, from, to: end ?? at },
        ...{ prices, longestPauseDays },
        onProgress: (done, all) => lines.show({ model: 'what if', done, all, comparedRows: 0, what: 'subscriptions' }),
      })()
      lines.end()
      return E.isLeft(found) ? found : E.right(resultOf(line, environment, found.right, assumes))
    })
  },
}

/** Status 1: subscriptions are left out of the sums. */
const resultOf = (
  line: ParsedLine,
  environment: string,
  report: WhatIfReport,
  assumes: ReadonlyArray<string>,
): CommandResult => ({
  status: report.leftOut.length > 0 ? 1 : 0,
  json: { ...jsonOf(line.required('policy'), environment, report), assumes },
  text: textOf(line, report, assumes),
})

const jsonOf = (policyFile: string, environment: string, report: WhatIfReport) => ({
  environment,
  from: new Date(report.from).toISOString(),
  to: new Date(report.to).toISOString(),
  policy_file: policyFile,
  subscriptions: report.subscriptions,
  reproduced: report.reproduced,
  otherwise: report.otherwise,
  ends: report.ends,
  assumed: report.assumed,
  without_effect: report.without,
  recorded: figuresJson(report.recorded),
  what_if: figuresJson(report.changed),
  control: figuresJson(report.control),
  left_out: report.leftOut.map(({ merchantId, subscriptionId, revision, why }) => ({
    merchant_id: merchantId,
    subscription_id: subscriptionId,
    revision: revision === null ? null : Number(revision),
    why,
  })),
})

const textOf = (line: ParsedLine, report: WhatIfReport, assumes: ReadonlyArray<string>): string => {
  const rows = [['', 'RECORDED', 'WHAT IF', 'DIFFERENCE', 'CONTROL'], ...figuresRows(report)]
  if (line.isSet('csv')) return rows.map((row) => row.map(csvCell).join(',')).join('\r\n')
  const says = [...saysOf(report), ...assumes]
  return line.isSet('html')
    ? whatifPage(report, line.required('policy'), says, rows)
    : [...says, '', table(rows)].join('\n')
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** What there is to know about the figures, in sentences. */
const saysOf = (report: WhatIfReport): ReadonlyArray<string> => [
  `${grouped(report.reproduced)} of ${counted(report.subscriptions, 'subscription')} reproduced. ${grouped(report.otherwise)} of them would have lived otherwise.`,
  `${grouped(report.assumed)} of ${counted(report.ends, 'end')} of charges are assumed, after the nearest recorded one.`,
  ...(report.without > 0 ? [`${counted(report.without, 'act')} of people came to nothing in the replay.`] : []),
  ...report.leftOut.map(({ subscriptionId, revision, why }) =>
    printable(`Left out: ${subscriptionId}${revision === null ? '' : ` @ ${revision}`}: ${reasons[why]}.`),
  ),
]

const reasons: Readonly<Record<WhatIfReport['leftOut'][number]['why'], string>> = {
  no_command: 'no command reproduces what is recorded here',
  not_due: 'what is recorded here was not due by the policy of that moment',
  stuck: 'the replay comes to no end',
}
