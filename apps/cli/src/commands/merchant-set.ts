import { readFile } from 'node:fs/promises'
import type { Policy } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import type { Complaint } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { policyJson, readPolicy } from '../policy.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'

const name = 'merchant set'

/** What a merchant decides about money that comes late or short. */
export const merchantSet: Command = {
  name,
  summary: "Sets a merchant's policies from a file.",
  explanation: `Sets what a merchant decides about money that comes late or short. The file is JSON; what it leaves out stays as it is,
so a file with {} shows the policy. The fields, with the values of a merchant who has set none:

  access_grace_days       0          Days of access after a paid period has ended.
  dunning_schedule        [6, 24, 72, 120, 168, 240, 336]
                                     Hours after the first counted failure at which a charge is tried again: rising,
                                     the last by hour 720.
  after_retries           "overdue"  Or "cancel": the subscription is canceled at once.
  underpayment_tolerance  "0"        A shortfall up to this counts as paid: units of the asset, as text.
  unknown_lumens          null       What becomes of XLM that names nothing: "wait" for a person or "return" it to its
                                     sender. While none is set, it waits; in the sandbox, it goes back.`,
  options: [merchantOption, mandatoryOption('--policy <file.json>', 'The file with the policy.')],
  example: {
    words: '--merchant mer_0350octnLi7Ud5KSrjAyiq --policy policy.json',
    prints: `access_grace_days       3
dunning_schedule        6, 24, 72
after_retries           cancel
underpayment_tolerance  0.01
unknown_lumens          wait`,
    json: '{"access_grace_days":3,"dunning_schedule":[6,24,72],"after_retries":"cancel","underpayment_tolerance":"0.01","unknown_lumens":"wait"}',
  },
  run: (given, site) =>
    pipe(
      policyIn(given.required('policy')),
      TE.chain((policy) =>
        site.withBilling((billing) =>
          pipe(
            TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
            TE.chain((merchantId) =>
              TE.mapLeft(complaintOf)(
                billing.merchants.setPolicy({ ...operatorContext(billing, 'testnet'), merchantId }, policy),
              ),
            ),
          ),
        ),
      ),
      TE.map(shown),
    ),
}

const policyIn = (file: string): TE.TaskEither<Complaint, Partial<Policy>> => {
  const invalid = (problems: ReadonlyArray<string>): Complaint => ({
    status: 2,
    code: 'invalid_policy',
    error: problems.map((problem) => `${file}: ${problem}`).join('\n'),
  })
  return pipe(
    TE.tryCatch(
      () => readFile(file, 'utf8'),
      () => invalid(['it cannot be read']),
    ),
    TE.chainEitherK((text) => E.mapLeft(invalid)(readPolicy(text))),
  )
}

const shown = (policy: Policy): Answer => {
  const json = policyJson(policy)
  const rows = Object.entries({ ...json, dunning_schedule: json.dunning_schedule.join(', ') || 'none' })
  return { status: 0, json, text: table(rows.map(([field, value]) => [field, String(value ?? "the network's")])) }
}
