import { paymentsOn } from '@quittance/http/testing/kills/books'
import { microsSince } from './metered-network.ts'
import { openRefundShop } from './refund-shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

// Refunds payments in its own process: `node refund-case.ts <refunds> <channels> <at once|one by one>`. Prints the
// measurements as JSON.
const [refundsText = '', channelsText = '', way = ''] = process.argv.slice(2)
const [refunds, channels] = [Number(refundsText), Number(channelsText)]

await inTemporaryFolder(async (folder) => {
  const shop = await openRefundShop(folder, refunds, channels)
  const waiting = [...shop.ids]
  const [micros, networkMicros] = [microsSince(), shop.networkMicros()]
  const ask = async (count: number, andThen: () => Promise<void>): Promise<void> => {
    for (const id of waiting.splice(0, count)) {
      await shop.refund(id)
      await andThen()
    }
  }
  if (way === 'at once') await ask(refunds, async () => undefined)
  while (waiting.length > 0 || (await shop.isAnyPending())) {
    // Sends each refund before the next request, as in a quiet shop.
    await ask(Math.max(channels, 1), shop.step)
    await shop.step()
    shop.closeLedger()
  }
  const network = shop.networkMicros() - networkMicros
  const ours = microsSince() - micros - network
  const out = paymentsOn(shop.sandbox).filter(({ from }) => from === shop.account)
  const ledgers = out.map(({ ledger }) => ledger)
  process.stdout.write(
    JSON.stringify({
      ledgers: (ledgers.at(-1) ?? 0) - (ledgers[0] ?? 0) + 1,
      cpuMs: ours / 1_000 / refunds,
      networkCpuMs: network / 1_000 / refunds,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
      paid: out.length,
      duplicates: out.length - new Set(out.map(({ amount }) => amount)).size,
    }),
  )
  shop.close()
})
