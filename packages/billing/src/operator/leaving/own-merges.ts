import {
  Credits,
  Customer,
  CustomerMerges,
  type CustomerMergesEvent,
  type CustomerMergesState,
  type Environment,
  periodOf,
  type RecordedEvent,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { fold } from '../../kernel/fold.ts'
import { categoryOf, idOf } from './own-streams.ts'

const decode = decodedBy(CustomerMerges)

type Merge = CustomerMergesEvent['data'] & { readonly stream: string; readonly environment: Environment }
type HandedOver = { readonly stream: string; readonly account: string; readonly to: string }

/**
 * Which customers of an export are one person. Whoever asks for a customer follows merges, so these must be of the merchant's own
 * customers, and such as can have been decided: no circle. The same holds for where books of credits were handed over to.
 */
export const mergesOf = (merchantId: string) => {
  const states = new Map<string, CustomerMergesState>()
  const customers = new Map<string, Environment>()
  const merges = new Map<string, Merge>()
  const handedOver: Array<HandedOver> = []

  /** Whether an event may be one of the merchant's. */
  const take = (event: RecordedEvent): boolean => {
    const { stream, type, data, metadata } = event
    switch (categoryOf(event)) {
      case Customer.category:
        if (type === 'CustomerCreated') customers.set(idOf(event), metadata.environment)
        return true
      case Credits.category:
        if (type === 'BooksHandedOver')
          handedOver.push({ stream, account: periodOf(idOf(event)).account, to: String(data.to) })
        return true
      case CustomerMerges.category: {
        const before = states.get(stream) ?? CustomerMerges.decider.initial
        const merge = decode(event).data
        const decided = CustomerMerges.decider.decide({ type: 'MergeCustomers', ...merge })(before)
        states.set(stream, fold(CustomerMerges, [event], before))
        merges.set(merge.from, { ...merge, stream, environment: metadata.environment })
        return (
          idOf(event) === `${merchantId}/${metadata.environment}` && E.isRight(decided) && decided.right.length === 1
        )
      }
      default:
        return true
    }
  }

  /** The stream that is about somebody else's customers; null if none is. */
  const foreign = (): string | null => {
    const isForeign = ({ from, into, environment }: Merge) =>
      [from, into].some((id) => customers.get(id) !== environment)
    const found = [...merges.values()].find(isForeign) ?? handedOver.find((each) => !isWithin(each))
    return found?.stream ?? null
  }

  /** Whether books were handed over to a customer who has taken the other's place. */
  const isWithin = ({ account, to }: HandedOver): boolean => {
    const [customerId = '', productId] = account.split('/')
    for (let into = merges.get(customerId)?.into; into !== undefined; into = merges.get(into)?.into)
      if (to === `${into}/${productId}`) return true
    return false
  }

  return { take, foreign }
}
