import { asText, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** Accepts a log that went back as soon as that is found, without a person and before anything is ingested. */
const acceptAtOnce: PlantedBug = (services) => {
  const { logStanding, clock } = services
  const check: typeof logStanding.check = async (isLast) => {
    const checked = await logStanding.check(isLast)
    if (E.isLeft(checked) || checked.right._tag === 'Sound') return checked
    const [by, reason] = [asText('nobody'), asText('none')]
    const through = { testnet: decoded(LedgerSequence, 1), mainnet: null }
    await logStanding.accept({ by, reason, acceptedAt: clock.now('testnet'), through, isForced: true })
    return logStanding.check(isLast)
  }
  return { ...services, logStanding: { ...logStanding, check } }
}

/** Sends money again without having read the ledgers since a start. */
const actBeforeIngestion: PlantedBug = (services) => {
  const { logStanding } = services
  return { ...services, logStanding: { ...logStanding, mayAct: () => logStanding.now()._tag === 'Sound' } }
}

/** Pays although a forgotten payment may be the same one. */
const payPerhapsTwice: PlantedBug = (services) => {
  const { exceptions } = services.readModels
  const page: typeof exceptions.page = async (asked) =>
    asked.listedUnder === 'unexplained' ? { rows: [], hasMore: false } : exceptions.page(asked)
  return { ...services, readModels: { ...services.readModels, exceptions: { ...exceptions, page } } }
}

/** A bug after the log was put back to a copy, in every world. */
export const acceptingBug: Readonly<Record<string, PlantedBug>> = {
  'a log that went back is accepted by itself': acceptAtOnce,
}

/** A bug with payouts that a log has forgotten: the ledger does not say what they were for. */
export const repayingBug: Readonly<Record<string, PlantedBug>> = {
  'a payout goes out although a forgotten payment may be the same one': payPerhapsTwice,
}

/** Bugs after the log was put back to a copy. */
export const restoringBugs: Readonly<Record<string, PlantedBug>> = {
  ...acceptingBug,
  'a restored service sends before it has read the ledger': actBeforeIngestion,
}
