import { setImmediate as nextTurn } from 'node:timers/promises'
import { asText, HttpUrl } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { createDeliverer } from '../../notify/delivery/deliverer.ts'
import type { DelivererOptions } from '../../notify/delivery/pump.ts'
import { sender } from '../../notify/delivery/sending/sender.ts'
import { roles } from '../../stores/roles.ts'
import { startNetwork } from '../network.ts'
import { done } from '../outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../platform.ts'
import { book, command, openShop } from '../shop.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * A merchant, a deliverer that works on command, and servers for endpoints. There is no jitter. `totalMs` is how long
 * an attempt may take: a machine under load is slow.
 */
export const openDeliveryStage = async (totalMs = 30_000) => {
  const network = await startNetwork()
  const folder = temporaryFolder()
  const opened: Array<{ platform: TestPlatform; close: () => Promise<void> }> = []
  /** As another process over the same files would be. One with a name shares roles with others, which only a database has. */
  const openProcess = async (options: Partial<DelivererOptions> = {}, name: string | null = null) => {
    const platform = await openPlatform(network, folder.path)
    const posting = sender({ totalMs })
    const own = name === null ? null : roles(platform.services.toDo.sql, name)
    const deliverer = createDeliverer(platform.services, { sender: posting, random: () => 0, roles: own, ...options })
    const close = async () => {
      await posting.close()
      await platform.close()
    }
    opened.push({ platform, close })
    return {
      platform,
      deliverer,
      close: async () =>
        opened.splice(0, opened.length, ...opened.filter((each) => each.platform !== platform)) && close(),
    }
  }
  const { platform, deliverer } = await openProcess()
  const { billing } = platform
  const merchantId = await openShop(platform)
  const now = () => command(platform, merchantId)
  const receivers: Array<Receiver> = []
  const receiver = async (respond?: Parameters<typeof startReceiver>[1]) => {
    const started = await startReceiver(network.now, respond)
    receivers.push(started)
    return started
  }
  const endpoint = async (to: { url: string }, events: ReadonlyArray<string> = ['*'], whose = merchantId) => {
    const details = {
      name: asText('Orders'),
      url: decoded(HttpUrl, to.url),
      events: events.map(asText),
      description: null,
    }
    return done(billing.webhooks.create(command(platform, whose), details))
  }
  return {
    network,
    folder,
    platform,
    billing,
    services: platform.services,
    deliverer,
    merchantId,
    now,
    openProcess,
    receiver,
    endpoint,
    /** An endpoint with a server of its own, which verifies what comes. */
    endpointWith: async (respond?: Parameters<typeof startReceiver>[1], events?: ReadonlyArray<string>) => {
      const server = await receiver(respond)
      const { secret, ...made } = await endpoint(server, events)
      server.known.secrets = [secret]
      return { ...server, ...made, id: made.id, secret }
    },
    update: (id: string, patch: { events?: ReadonlyArray<string>; url?: string; isDisabled?: boolean }) =>
      done(
        billing.webhooks.update(now(), id, {
          changed: {
            ...(patch.events === undefined ? {} : { events: patch.events.map(asText) }),
            ...(patch.url === undefined ? {} : { url: decoded(HttpUrl, patch.url) }),
          },
          isDisabled: patch.isDisabled ?? null,
        }),
      ),
    /** Something that happens: a product is made. Its id. */
    makeProduct: async () => (await done(billing.products.create(now(), book()))).id,
    renameProduct: (id: string, name: string) => done(billing.products.update(now(), id, { name: asText(name) })),
    /** Moves the clock from due time to due time, and delivers at each. */
    advance: async (ms: number) => {
      const target = network.now() + ms
      await deliverer.settle()
      for (;;) {
        const due = await deliverer.nextDue('testnet')
        if (due === null || due > target) break
        network.wait(due - network.now())
        await deliverer.settle()
      }
      network.wait(target - network.now())
      await deliverer.settle()
    },
    isDisabled: async (id: string) =>
      (await done(billing.webhooks.retrieve({ merchantId, environment: 'testnet' }, id))).is_disabled,
    /** What the log says of why it was disabled, each time. */
    disabledBy: async (id: string) =>
      (await done(platform.services.store.readStream(`webhook-${id}`))).events
        .filter(({ type }) => type === 'WebhookDisabled')
        .map(({ data }) => data),
    until: async (isSo: () => boolean) => {
      const deadline = AbortSignal.timeout(120_000)
      while (!isSo() && !deadline.aborted) await nextTurn()
    },
    close: async () => {
      for (const each of receivers) await each.stop()
      for (const { close } of opened) await close()
      await network.close()
      folder.remove()
    },
  }
}
export type DeliveryStage = Awaited<ReturnType<typeof openDeliveryStage>>
