import { microsSince } from './metered-network.ts'
import { openRenewalShop } from './renewal-shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

// Renews in a process of its own: `node renewal-case.ts <due> <idle> <channels>`. Prints what it took, as JSON.
const [due = 0, idle = 0, channels = 0] = process.argv.slice(2).map(Number)
const mostLedgers = 10_000

await inTemporaryFolder(async (folder) => {
  const shop = await openRenewalShop(folder, due, idle, channels)
  await shop.endTrials()
  const [micros, networkMicros] = [microsSince(), shop.networkMicros()]
  const isPaid = () => shop.renewals().filter(({ status }) => status === 'confirmed').length === due
  for (let ledger = 0; ledger < mostLedgers && !isPaid(); ledger++) {
    await shop.step()
    shop.closeLedger()
  }
  const network = shop.networkMicros() - networkMicros
  const ours = microsSince() - micros - network
  const paid = shop.renewals().flatMap(({ confirmation }) => confirmation ?? [])
  const ledgers = paid.map(({ ledger }) => ledger)
  const inOne = new Map<string, number>()
  for (const { transactionHash } of paid) inOne.set(transactionHash, (inOne.get(transactionHash) ?? 0) + 1)
  const sum = paid.reduce((total, { amount }) => total + amount, 0n)
  process.stdout.write(
    JSON.stringify({
      paid: paid.length,
      ledgers: Math.max(...ledgers) - Math.min(...ledgers) + 1,
      largest: Math.max(...inOne.values()),
      cpuMs: ours / 1_000 / due,
      networkCpuMs: network / 1_000 / due,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
      duplicates: Number((await shop.held()) - sum) / 100_000_000,
    }),
  )
  shop.close()
})
