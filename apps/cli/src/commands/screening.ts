import { HoldAction } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { printable, table } from '../printing.ts'
import { decisionOf, decisionOptions } from './decision.ts'

const words = {
  accept: 'It goes on.',
  return: 'What came goes back to its sender; what would go out is never sent.',
  keep: 'It stays held.',
} satisfies Readonly<Record<HoldAction, string>>

export const screening: Command = {
  name: 'screening list',
  summary: 'Lists the money that a screening holds.',
  explanation: `Lists what came from a listed address, what would pay one, and subscriptions that would charge one, the oldest first.
Nothing of it moves until \`quittance screening resolve\` decides.`,
  options: [],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `SUBJECT  KIND      OF     ENVIRONMENT  ADDRESS  SINCE                     KEPT
exc_…    incoming  mer_…  mainnet      G…       2026-11-23T09:12:31.000Z  no`,
    json: '[{"subject":"exc_…","kind":"incoming","merchant_id":"mer_…","environment":"mainnet","address":"G…","at":"2026-11-23T09:12:31.000Z","kept":false}]',
  },
  run: (_, { withBilling }) =>
    withBilling(async ({ screening: desk }) => {
      const found = await desk.held()
      if (E.isLeft(found)) return found
      const json = found.right.map(({ subject, kind, merchantId, environment, address, at, isKept }) => ({
        subject,
        kind,
        merchant_id: merchantId,
        environment,
        address,
        at: new Date(at).toISOString(),
        kept: isKept,
      }))
      const rows = json.map((each) => [
        each.subject,
        each.kind,
        each.merchant_id,
        each.environment,
        each.address,
        each.at,
        each.kept ? 'yes' : 'no',
      ])
      const head = ['SUBJECT', 'KIND', 'OF', 'ENVIRONMENT', 'ADDRESS', 'SINCE', 'KEPT']
      return E.right({ status: 0, json, text: json.length === 0 ? 'Nothing is held.' : table([head, ...rows]) })
    }),
}

export const screeningResolve: Command = {
  name: 'screening resolve',
  summary: 'Decides about money that a screening holds.',
  explanation: `accept: ${words.accept} What came counts for its checkout if that still takes it; otherwise the merchant decides.
return: ${words.return}
keep: ${words.keep} It can be decided later.
What was let through or refused once stays so. The list is asked again about everything else.`,
  argument: new Argument('<action>', 'accept, return or keep.').choices(Object.keys(words)),
  options: [mandatoryOption('--subject <subject>', 'As `quittance screening list` lists it.'), ...decisionOptions],
  needsSoundLog: true,
  example: {
    words: 'keep --subject exc_… --reason "an order of the court" --by Ada',
    prints: 'exc_…: keep, says Ada. It stays held.',
    json: '{"subject":"exc_…","action":"keep","changed":true,"left_to_merchant":false,"by":"Ada","reason":"an order of the court"}',
  },
  run: async (line, { withBilling }) => {
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const [action, subject] = [line.required('action'), line.required('subject')]
    if (!HoldAction.is(action)) throw new Error(`${action} is no action`)
    return withBilling(async ({ screening: desk }) => {
      const decided = await desk.decide({ subject, action, ...decision.right })()
      if (E.isLeft(decided)) return decided
      const { isNew, isLeftToMerchant } = decided.right
      const outcome = isLeftToMerchant ? 'The merchant decides about it.' : words[action]
      return E.right({
        status: 0,
        json: { subject, action, changed: isNew, left_to_merchant: isLeftToMerchant, ...decision.right },
        text: printable(`${subject}: ${action}, says ${decision.right.by}. ${outcome}`),
      })
    })
  },
}
