import { type Environment, secondMs } from '@quittance/domain'
import { settlementDues } from '../dispatch/settle.ts'
import type { Services } from '../services/services.ts'

/** The moment (Unix milliseconds) when the next thing falls due after `after`; null when nothing is waiting. */
export const nextDueAfter = async (
  services: Services,
  environment: Environment,
  after: number,
): Promise<number | null> => {
  const { checkouts, payments, subscriptions, priceChanges, payoutSchedules, refunds, exceptions } = services.readModels
  // An awaited transaction can be recorded as dead once its time bounds have ended.
  const ends = (await Array.fromAsync(payments.due(environment, after))).flatMap(({ row: { submitted } }) => {
    const maxTime = submitted.at(-1)?.maxTime
    return maxTime === undefined || maxTime < after ? [] : [maxTime + secondMs]
  })
  const returns = (await Array.fromAsync(exceptions.due(environment, 0))).flatMap(({ row: { moneyReturn } }) =>
    moneyReturn?.sendsAt === undefined || moneyReturn.sendsAt <= after ? [] : [moneyReturn.sendsAt],
  )
  const tables = [checkouts, payments, subscriptions, priceChanges, payoutSchedules, refunds]
  const retry = await services.setbacks.nextDue(environment)
  const dues = [
    ...ends,
    ...returns,
    ...(await Promise.all(tables.map((table) => table.nextDue(environment, after)))),
    ...(await settlementDues(services, environment, after)),
    retry === null ? null : Math.max(retry, after),
  ].filter((due) => due !== null)
  return dues.length === 0 ? null : Math.min(...dues)
}
