import { stroops } from '@quittance/domain'
import type { EventStore, Sql } from '@quittance/event-store'
import { freezing } from '../../services/freezing.ts'
import { gatedNetworks } from '../../services/gated-networks.ts'
import { holding } from '../../services/holding.ts'
import { openJustArrived } from '../../services/just-arrived.ts'
import { logStandings } from '../../services/log-standing.ts'
import { networkEpochs } from '../../services/network-epochs.ts'
import type { Network, Services } from '../../services/services.ts'
import { awaitingRate } from '../../stores/awaiting-rate.ts'
import { backfills } from '../../stores/backfills.ts'
import { challenges } from '../../stores/challenges.ts'
import { openChangeNotifications } from '../../stores/change-notifications.ts'
import { claims } from '../../stores/claims/claims.ts'
import { cursors } from '../../stores/cursor.ts'
import { toDo } from '../../stores/deliveries/to-do.ts'
import { halts } from '../../stores/halts.ts'
import { checkpointsFile } from '../../stores/kept-checkpoints.ts'
import { freezesFile } from '../../stores/kept-freezes.ts'
import { keyUse } from '../../stores/key-use.ts'
import { latestCheckpoint } from '../../stores/latest-checkpoint.ts'
import { type LeftMerchant, leftMerchants } from '../../stores/left-merchants.ts'
import { fileMark, notingNewest } from '../../stores/log-marks.ts'
import { logTree } from '../../stores/log-tree/log-tree.ts'
import { mailedCodes } from '../../stores/mail/mailed-codes.ts'
import { noMailers } from '../../stores/mail/mailer.ts'
import { outbox } from '../../stores/mail/outbox.ts'
import { memberStores } from '../../stores/members/members.ts'
import { parked } from '../../stores/parked/parked.ts'
import { portalSessions } from '../../stores/portal-sessions.ts'
import { relays } from '../../stores/relays.ts'
import { noScreening } from '../../stores/screening/port.ts'
import { seenAccounts } from '../../stores/seen-accounts.ts'
import { seenCollecting } from '../../stores/seen-collecting.ts'
import { setbacks } from '../../stores/setbacks/setbacks.ts'
import { requestSigner } from '../../stores/sign-request.ts'
import { violations } from '../../stores/violations.ts'
import type { Deployment } from './deployment.ts'
import { notifying } from './notifying.ts'
import { sealingLeft } from './sealing-left.ts'

/** A network that sets accounts up asks for their secrets, which a signer elsewhere never gives away. */
const settingNothingUp = ({ testnet, mainnet }: Services['networks']): Services['networks'] => {
  const unaided = (network: Network | null) => network && { ...network, provision: null, setUpBalance: stroops(0n) }
  return { testnet: unaided(testnet), mainnet: unaided(mainnet) }
}

/** What differs between compositions. */
export type Composed = {
  readonly log: EventStore
  /** What is in no log; its tables have been made. */
  readonly sql: Sql
  /** The merchants that have left, by the log. Read once its read models are complete. */
  readonly leftInLog: () => Promise<ReadonlyArray<Pick<LeftMerchant, 'merchantId' | 'at'>>>
  /** The least time between two checks that the log has not gone back. */
  readonly betweenChecksMs: number
  readonly freshId: () => string
}

/** The services that every composition makes alike. */
export const commonServices = (
  { log, sql, leftInLog, betweenChecksMs, freshId }: Composed,
  {
    vault,
    clock,
    networks,
    publicUrl,
    omnibusAccounts = new Set(),
    witnessKeys = [],
    markFile = null,
    screening = noScreening,
    mailers = noMailers,
  }: Deployment,
): Omit<Services, 'readModels' | 'caughtUp' | 'settlementOf' | 'logFile'> => {
  const changes = openChangeNotifications()
  const left = leftMerchants(markFile, leftInLog)
  const store = sealingLeft(notingNewest(notifying(log, changes), vault.newest), left)
  const keepers = { vault: vault.logMark, file: markFile === null ? null : fileMark(markFile) }
  const logStanding = logStandings(store, vault.newest, keepers, clock, freshId, betweenChecksMs)
  const epochs = networkEpochs(store, clock, freshId)
  return {
    store,
    changes,
    toDo: toDo(sql),
    seenAccounts: seenAccounts(clock),
    seenCollecting: seenCollecting(clock),
    justArrived: openJustArrived(),
    claims: claims(sql, clock),
    cursors: cursors(sql),
    halts: halts(sql),
    awaitingRate: awaitingRate(sql),
    relays: relays(sql),
    violations: violations(sql),
    backfills: backfills(sql),
    setbacks: setbacks(sql),
    parked: parked(sql),
    keyUse: keyUse(sql),
    challenges: challenges(sql, Date.now),
    portalSessions: portalSessions(sql),
    mailedCodes: mailedCodes(sql),
    mailers,
    outbox: outbox(sql),
    members: memberStores(sql),
    vault,
    clock,
    freshId,
    networks: gatedNetworks(vault.makesSeeds ? networks : settingNothingUp(networks), logStanding, epochs),
    logStanding,
    logTree: logTree(sql),
    latestCheckpoint: latestCheckpoint(sql),
    keptCheckpoints: markFile === null ? null : checkpointsFile(markFile),
    witnessKeys,
    epochs,
    left,
    freezing: freezing(store, markFile === null ? null : freezesFile(markFile), clock, freshId, left),
    screening,
    holding: holding(store, clock, freshId),
    signRequest: requestSigner(vault, clock, publicUrl),
    publicUrl,
    omnibusAccounts,
  }
}
