import { microsSince } from './metered-network.ts'
import { openRenewalShop } from './renewal-shop.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

// Renews in its own process: `node renewal-case.ts <due> <idle> <channels>`. Prints the measurements as JSON.
const [due = 0, idle = 0, channels = 0] = process.argv.slice(2).map(Number)
const price = 100_000_000n
const mostLedgers = 10_000
const reportInterval = 1_000

let reported = 0
const report = (what: string, done: number, of: number): void => {
  if (done < reported + reportInterval && done !== of) return
  reported = done === of ? 0 : done
  process.stderr.write(`${done} of ${of} ${what}\n`)
}

await inTemporaryFolder(async (folder) => {
  const shop = await openRenewalShop(folder, due, idle, channels, report)
  shop.endTrials()
  const [micros, networkMicros] = [microsSince(), shop.networkMicros()]
  let collected = 0n
  for (let ledger = 0; ledger < mostLedgers && collected < price * BigInt(due); ledger++) {
    await shop.step()
    shop.closeLedger()
    collected = await shop.held()
    report('charged', Number(collected / price), due)
  }
  // Ingests the last ledger.
  await shop.step()
  const network = shop.networkMicros() - networkMicros
  const ours = microsSince() - micros - network
  const { subscriptions, calls } = shop.renewed()
  const ledgers = calls.map(({ ledger }) => ledger)
  process.stdout.write(
    JSON.stringify({
      paid: subscriptions,
      ledgers: Math.max(...ledgers) - Math.min(...ledgers) + 1,
      largest: Math.max(...calls.map(({ size }) => size)),
      cpuMs: ours / 1_000 / due,
      networkCpuMs: network / 1_000 / due,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
      duplicates: Number(collected / price) - subscriptions,
    }),
  )
  shop.close()
})
