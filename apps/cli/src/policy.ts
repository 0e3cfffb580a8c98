import { readFile } from 'node:fs/promises'
import {
  Count,
  decimalFromStroops,
  type Policy,
  PositiveCount,
  RatesAfter,
  stroopsFromDecimal,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandError } from './command-error.ts'

/** A field of a file: what it takes, and the part that it sets; null for an invalid value. */
type Field<A> = { readonly expected: string; readonly read: (value: unknown) => Partial<A> | null }
export type Fields<A> = Readonly<Record<string, Field<A>>>

const isUnknownLumens = (value: unknown): value is NonNullable<Policy['unknownLumens']> =>
  value === 'wait' || value === 'return'

const isAfterRetries = (value: unknown): value is Policy['afterRetries'] => value === 'overdue' || value === 'cancel'

export const policyFields: Fields<Policy> = {
  access_grace_days: {
    expected: 'whole days, 0 or more',
    read: (value) => (Count.is(value) ? { accessGraceDays: value } : null),
  },
  dunning_schedule: {
    expected: 'a list of whole hours, such as [6, 24, 72]',
    read: (value) =>
      Array.isArray(value) && value.every((hours) => PositiveCount.is(hours)) ? { dunningScheduleHours: value } : null,
  },
  after_retries: {
    expected: '"overdue" or "cancel"',
    read: (value) => (isAfterRetries(value) ? { afterRetries: value } : null),
  },
  underpayment_tolerance: {
    expected: 'a decimal text of asset units with at most 7 fraction digits, such as "0.01"',
    read: (value) => {
      const read = stroopsFromDecimal(typeof value === 'string' ? value : '')
      return E.isRight(read) ? { underpaymentTolerance: read.right } : null
    },
  },
  rates_after: {
    expected: '"charge_at_peg", "invoice" or "pause"',
    read: (value) => (RatesAfter.is(value) ? { ratesAfter: value } : null),
  },
  unknown_lumens: {
    expected: '"wait" or "return"',
    read: (value) => (isUnknownLumens(value) ? { unknownLumens: value } : null),
  },
}

/** The form of a policy in files and results. Hours count from the first counted failure; the tolerance is asset units. */
export const policyJson = (policy: Policy) => ({
  access_grace_days: policy.accessGraceDays,
  dunning_schedule: policy.dunningScheduleHours,
  after_retries: policy.afterRetries,
  underpayment_tolerance: decimalFromStroops(policy.underpaymentTolerance),
  rates_after: policy.ratesAfter ?? 'invoice',
  unknown_lumens: policy.unknownLumens ?? null,
})

/** What the fields of a policy file set. Errors: every problem of the file. */
export const policyIn = async <A>(file: string, fields: Fields<A>): Promise<E.Either<CommandError, Partial<A>>> => {
  const text = await readFile(file, 'utf8').catch(() => null)
  const policy = text === null ? E.left(['it cannot be read']) : readPolicy(text, fields)
  if (E.isRight(policy)) return policy
  const error = policy.left.map((problem) => `${file}: ${problem}`).join('\n')
  return E.left({ status: 2, code: 'invalid_policy', error })
}

/** Reads the fields that a policy text sets, and only those. Left: every problem of the file. */
const readPolicy = <A>(text: string, fields: Fields<A>): E.Either<ReadonlyArray<string>, Partial<A>> => {
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => ['it is not JSON'],
  )
  if (E.isLeft(parsed)) return parsed
  const given = parsed.right
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return E.left(['it is not a JSON object'])

  const problems: Array<string> = []
  let policy: Partial<A> = {}
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const part = field?.read(value) ?? null
    if (part !== null) policy = { ...policy, ...part }
    else if (field !== undefined) problems.push(`${name} must be ${field.expected}`)
    else problems.push(`${name} is unknown (the fields are ${Object.keys(fields).join(', ')})`)
  }
  return problems.length > 0 ? E.left(problems) : E.right(policy)
}
