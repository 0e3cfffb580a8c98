import { join } from 'node:path'
import { unixMs } from '@quittance/domain'
import { buildProjections } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { walletCopier } from '../copied-wallets.ts'
import { emptyWallet, enrolWallet } from '../enrol-wallet.ts'
import { openNetwork } from '../metered-network.ts'
import { openMeteredServices } from '../metered-services.ts'
import { foundClub, steppingOn } from '../renewal-club.ts'
import { enrollingIn, groups } from '../renewal-enrolment.ts'
import { beginningOf, type Club, termsOf, unknownCustomer } from '../renewal-subscribers.ts'
import { clubOf, type DayPlan, dueInAnHour, isPoor, numbersOf } from './day-plan.ts'

const trialDays = 1
const idleTrialDays = 300
const atOnce = 500
const idleAtOnce = 5_000

/** Enrols one wallet with money and one without for each hour; the others of that hour are their copies. */
const openCopiers = async (network: ReturnType<typeof openNetwork>, club: Club, plan: DayPlan) => {
  const copiers = []
  for (let hour = 0; hour < plan.hours; hour += 1) {
    const [rich, poor] = [1 + 2 * hour, 2 + 2 * hour]
    const enrolled = (key: number) =>
      enrolWallet(network, (wallet) => termsOf(clubOf(club, hour), wallet, 0, trialDays), key)
    const copyRich = walletCopier(network.database, await enrolled(rich))
    const modelOfPoor = await enrolled(poor)
    await emptyWallet(network, poor)
    copiers.push({ copyRich, copyPoor: walletCopier(network.database, modelOfPoor) })
  }
  return copiers
}

/**
 * A merchant's subscriptions: those due in each hour, with customers and wallets of their own, and others that are on trial all
 * day, as events alone. The log is written without read models, which are built afterwards. Everything happens on command.
 */
export const openDayShop = async (folder: string, plan: DayPlan, report: (what: string) => void) => {
  const network = openNetwork(folder)
  const founding = openMeteredServices(folder, network)
  const founded = await foundClub(network, founding, plan.channels)
  network.close()
  await steppingOn(founding.services)()
  founding.close()
  const club: Club = { ...founded, startedAt: unixMs(network.now() - (network.now() % 1_000)) }
  const copiers = await openCopiers(network, club, plan)

  const writing = openMeteredServices(folder, network, [])
  for (const [hour, { copyRich, copyPoor }] of copiers.entries()) {
    const own = clubOf(club, hour)
    if (own.startedAt > network.now()) network.close(own.startedAt - network.now())
    const { enrol } = enrollingIn(writing, own, trialDays)
    const numbers = numbersOf(plan, hour)
    for (const some of groups(numbers[0] ?? 0, numbers.at(-1) ?? -1, atOnce))
      await enrol(some, (enrolments) => {
        copyRich(enrolments.filter(({ number }) => !isPoor(plan, number)))
        copyPoor(enrolments.filter(({ number }) => isPoor(plan, number)))
      })
    report(`enrolled those of hour ${hour + 1}`)
  }
  const { write } = enrollingIn(writing, club, idleTrialDays)
  const idleTerms = termsOf(club, club.payee, 0, idleTrialDays)
  for (const some of groups(1 + plan.hours * dueInAnHour(plan), plan.subscriptions, idleAtOnce)) {
    await write(some.map((number) => beginningOf(club, idleTerms, number, unknownCustomer(club, number))))
    if ((some.at(-1) ?? 0) % 100_000 < idleAtOnce) report(`${some.at(-1)} subscriptions are written`)
  }
  writing.close()
  await buildProjections(join(folder, 'log'), inlineProjections)
  report('read models are built')

  const services = openMeteredServices(folder, network)
  const step = steppingOn(services.services)
  await step()
  report('ledgers are ingested')
  return {
    folder,
    plan,
    network,
    club,
    reader: services.store.reader,
    step,
    close: (): void => {
      services.close()
      network.end()
    },
  }
}

export type DayShop = Awaited<ReturnType<typeof openDayShop>>
