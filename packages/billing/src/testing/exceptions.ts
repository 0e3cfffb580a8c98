import type { AccountId, AssetId } from '@quittance/domain'
import type { Resolution } from '../features/exceptions/resolve.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { ExceptionResource } from '../resources/exception.ts'
import { done, present } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'
import { command } from './shop.ts'
import type { StoreFront } from './store-front.ts'

type Named = { readonly id: string }

/** What tests do with the exceptions of a shop. */
export const exceptionsIn = (front: StoreFront) => {
  const { platform, merchantId, scope, billing, network } = front
  const now = (on: TestPlatform = platform): CommandContext => command(on, merchantId)
  const all = async (): Promise<ReadonlyArray<ExceptionResource>> => {
    await platform.shown()
    return (await billing.exceptions.list({ ...scope, limit: 100 }, null)()).resources
  }
  const known = ({ id }: Named) => done(billing.exceptions.retrieve(scope, id))
  return {
    now,
    all,
    known,
    /** The only exception about a transaction. */
    of: async (transactionHash: string): Promise<ExceptionResource> => {
      const [one, ...more] = (await all()).filter((each) => each.transaction_hash === transactionHash)
      if (more.length > 0) throw new Error(`${transactionHash} has ${more.length + 1} exceptions`)
      return present(one)
    },
    resolve: ({ id }: Named, wanted: Resolution, context: CommandContext = now()) =>
      billing.exceptions.resolve(context, id, wanted),
    /** The exception once its return has ended, as the worker has seen it. */
    settled: async (exception: Named): Promise<ExceptionResource> => {
      for (let ledgers = 0; ledgers < 10; ledgers++) {
        await front.step()
        const shown = await known(exception)
        if (shown.return_status !== 'pending') return shown
        network.wait(1000)
      }
      throw new Error(`the return of ${exception.id} does not end`)
    },
    held: async (account: AccountId, assetId: AssetId = network.usdc.assetId): Promise<bigint> => {
      const [balance] = await done(network.gateway.balances([{ account, assetId }]))
      return balance?.held ?? 0n
    },
    eventsOf: async ({ id }: Named) =>
      (await done(platform.log.readStream(`exception-${id}`))).events.map(({ type }) => type),
    intentsOf: async (exception: Named) =>
      (await (await platform.shown()).intents.all()).filter(({ row }) => row.details.memo === exception.id),
  }
}
