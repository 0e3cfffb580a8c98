import { dyingAfter } from './failing-stores.ts'
import { startNetwork } from './network.ts'
import { openPlatform } from './platform.ts'
import { command, openShop, someone } from './shop.ts'

/**
 * Run as a process of its own: creates customers with emails in a folder, all at once, and dies when so many appends
 * are durable: `dying-creator.ts <folder> <customers> <appends>`.
 */
const [, , folder = '', customers = '', appends = ''] = process.argv
const network = await startNetwork()
const merchantId = await openShop(await openPlatform(network, folder, undefined, 'embedded'))
const die = () => process.kill(process.pid, 'SIGKILL')
const platform = await openPlatform(network, folder, dyingAfter(Number(appends), die), 'embedded')
await Promise.all(
  Array.from({ length: Number(customers) }, (_, n) =>
    platform.billing.customers.createAll(command(platform, merchantId), [someone(`c${n}@example.org`)])(),
  ),
)
