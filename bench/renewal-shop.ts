import { done } from '@quittance/billing/testing/outcomes'
import { unixMs } from '@quittance/domain'
import { walletCopier } from './copied-wallets.ts'
import { enrolWallet } from './enrol-wallet.ts'
import { openNetwork } from './metered-network.ts'
import { openMeteredServices } from './metered-services.ts'
import { foundClub, steppingOn } from './renewal-club.ts'
import { enrollingIn, groups } from './renewal-enrolment.ts'
import { beginningOf, type Club, dayMs, termsOf, unknownCustomer } from './renewal-subscribers.ts'

const trialDays = 1
/** Subscriptions written before other work has its turn. */
const atOnce = 500
/** Reports progress. */
type ReportProgress = (what: string, done: number, of: number) => void

/**
 * A shop with `due` subscriptions of 10 USDC a month, each with its own customer and wallet, whose trials end at the
 * same time, and `idle` ones still on trial, without recorded customers or a mandate on the ledger. Everything happens
 * on command.
 */
export const openRenewalShop = async (
  folder: string,
  due: number,
  idle: number,
  channels: number,
  report: ReportProgress,
) => {
  const network = openNetwork(folder)
  const { usdc } = network
  const metered = openMeteredServices(folder, network)
  const { store, services, close } = metered
  const step = steppingOn(services)
  const founded = await foundClub(network, metered, channels)
  network.close()
  await step()

  const startedAt = unixMs(network.now() - (network.now() % 1_000))
  const club: Club = { ...founded, startedAt }
  const { payee } = club
  const { write, enrol } = enrollingIn(metered, club, trialDays)
  const copyWallets = walletCopier(
    network.database,
    await enrolWallet(network, (wallet) => termsOf(club, wallet, 0, trialDays)),
  )
  for (const numbers of groups(1, due, atOnce)) {
    await enrol(numbers, copyWallets)
    report('enrolled', numbers.at(-1) ?? 0, due)
  }
  const idleTerms = termsOf(club, payee, 0, 300)
  for (const numbers of groups(due + 1, due + idle, atOnce)) {
    await write(numbers.map((number) => beginningOf(club, idleTerms, number, unknownCustomer(club, number))))
    report('idle', (numbers.at(-1) ?? 0) - due, idle)
  }
  await step()
  return {
    log: store,
    step,
    closeLedger: network.close,
    endTrials: (): void => network.close(startedAt + trialDays * dayMs + 1_000 - network.now()),
    networkMicros: network.micros,
    /** The number of charged subscriptions, and the size and ledger of each charging call, by the log. */
    renewed: () => {
      const confirmed = `FROM events WHERE type = 'ChargeConfirmed'`
      const told = store.reader.prepare(`SELECT count(DISTINCT stream) AS told ${confirmed}`).get()?.told
      const calls = store.reader
        .prepare(
          `SELECT data ->> 'ledger' AS ledger, count(*) AS size ${confirmed} GROUP BY data ->> 'transactionHash'`,
        )
        .all()
      return {
        subscriptions: Number(told),
        calls: calls.map(({ ledger, size }) => ({ ledger: Number(ledger), size: Number(size) })),
      }
    },
    /** The shop's balance, in stroops. */
    held: async (): Promise<bigint> => {
      const [holding] = await done(network.network.gateway.balances([{ account: payee, assetId: usdc }]))
      return holding?.held ?? 0n
    },
    close: (): void => {
      close()
      network.end()
    },
  }
}
