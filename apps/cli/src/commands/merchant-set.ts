import type { Policy } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption } from '../command.ts'
import { policyFields, policyIn, policyJson } from '../policy.ts'
import { table } from '../printing.ts'
import { forMerchant, merchantOption } from '../scope.ts'

export const merchantSet: Command = {
  name: 'merchant set',
  summary: "Sets a merchant's policies from a file.",
  explanation: `Sets how a merchant handles late and short payments. The file is JSON. A field that it leaves out keeps its value, so a
file with {} shows the policy. The fields, with their defaults:

  access_grace_days       0          Days of access after the end of a paid period.
  dunning_schedule        [6, 24, 72, 120, 168, 240, 336]
                                     Hours after the first counted failure at which a charge is retried: rising, the
                                     last by hour 720.
  after_retries           "overdue"  Or "cancel", which cancels the subscription at once.
  underpayment_tolerance  "0"        A shortfall up to this counts as paid: units of the asset, as text.
  rates_after             "invoice"  A charge that no attempt could settle for 7 days, because rates are missing, an asset
                                     lost its peg or our calls fail: it is invoiced, and still tried. Or
                                     "charge_at_peg": made at the last agreed rates, within the cap. Or "pause".
  unknown_lumens          null       XLM without a reference: "wait" for the operator, or "return" it to its sender.
                                     By default it waits, and goes back in the sandbox.`,
  options: [merchantOption, mandatoryOption('--policy <file.json>', 'The file with the policy.')],
  needsSoundLog: true,
  example: {
    words: '--merchant mer_0350octnLi7Ud5KSrjAyiq --policy policy.json',
    prints: `access_grace_days       3
dunning_schedule        6, 24, 72
after_retries           cancel
underpayment_tolerance  0.01
rates_after             invoice
unknown_lumens          wait`,
    json: '{"access_grace_days":3,"dunning_schedule":[6,24,72],"after_retries":"cancel","underpayment_tolerance":"0.01","rates_after":"invoice","unknown_lumens":"wait"}',
  },
  run: async (line, installation) => {
    const policy = await policyIn(line.required('policy'), policyFields)
    if (E.isLeft(policy)) return policy
    return forMerchant(line, installation, async ({ merchants }, context) => {
      const set = await merchants.setPolicy(context, policy.right)()
      return E.isLeft(set) ? set : E.right(resultOf(set.right))
    })
  },
}

const resultOf = (policy: Policy): CommandResult => {
  const json = policyJson(policy)
  const rows = Object.entries({ ...json, dunning_schedule: json.dunning_schedule.join(', ') || 'none' })
  return { status: 0, json, text: table(rows.map(([field, value]) => [field, String(value ?? "the network's")])) }
}
