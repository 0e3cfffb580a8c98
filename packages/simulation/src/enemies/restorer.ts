import { right } from '@quittance/billing/testing/outcomes'
import { minuteMs } from '@quittance/domain'
import { type LedgerHead, readEnvelope } from '@quittance/ledger'
import type { Player } from '../player.ts'
import type { Requests } from '../requests.ts'
import { operator, type Stage } from '../stage.ts'

const mostRestores = 2
/** A service acts while its node is not later than this. */
const latestMs = 5 * minuteMs

/**
 * An operator who puts the log back to an earlier copy, alone or with the vault; the ledger stays as it is. All processes
 * start again.
 */
export const restorer = (stage: Stage, requests: Requests): Player => {
  const { random, fixture, network, note, faultFree, putBack, sentTooEarly } = stage
  const { log, vault } = fixture
  let copy: ReturnType<Requests['remember']> | null = null
  /** Transactions of ours that were sent, that the log has forgotten, and that show that it went back. */
  let forgotten: ReadonlyArray<string> = []
  let [acceptedBefore, restores, isActive] = [0, 0, true]
  /** The newest ledger at the copy. */
  let atCopy: LedgerHead | null = null
  /** Ledgers that closed before have to be ingested before anything of ours is sent. */
  let ingestedAtLeastTo = 0
  const accepted = log.prepare("SELECT count(*) AS times FROM events WHERE type = 'LogAccepted' AND data ->> 'by' = ?")
  const acceptances = (): number => Number(accepted.get(operator)?.times)

  const known = async (): Promise<ReadonlyArray<string>> =>
    (await faultFree.readModels.ledgerTransactions.all()).map(({ id }) => id)
  const sent = new Set<string>()
  let sentBeforeCopy = 0
  network.whenSent(async (envelope) => {
    const { transactionHash } = right(readEnvelope(envelope, network.gateway.networkPassphrase))
    sent.add(transactionHash)
    const { readModels, cursors } = faultFree
    // Servers also relay what payers have signed.
    if ((await readModels.ledgerTransactions.withId(transactionHash)) === null) return
    const isUnaccepted = forgotten.length > 0 && acceptances() === acceptedBefore
    if (isUnaccepted || ((await cursors.closedAt('testnet')) ?? 0) < ingestedAtLeastTo)
      sentTooEarly.add(transactionHash)
  })
  const keep = (): void => {
    for (const file of [log, vault]) file.execute(copy === null ? 'SAVEPOINT copy' : 'RELEASE copy; SAVEPOINT copy')
    copy = requests.remember()
    sentBeforeCopy = sent.size
    atCopy = network.newest()
    note('a copy is kept')
  }
  const restore = async (): Promise<void> => {
    if (copy === null || restores === mostRestores) return
    const files = random.onceIn(2) ? [log] : [log, vault]
    const before = await known()
    putBack(() => {
      for (const file of files) file.execute('ROLLBACK TO copy')
    })
    requests.forget(copy)
    const after = new Set(await known())
    // Without the marks in the vault, only closed ledgers show it.
    const shows = (hash: string) => files.length === 1 || network.sandbox.read.findTransaction(hash) !== undefined
    forgotten = before.filter((hash) => sent.has(hash) && !after.has(hash) && shows(hash))
    acceptedBefore = acceptances()
    // Every other time what was under way has ended before, and the node is late.
    if (random.onceIn(2)) {
      await network.wait(2 * latestMs)
      network.holdBackAfter(atCopy)
    }
    ingestedAtLeastTo = network.now() - latestMs
    restores += 1
    note(`${files.length === 1 ? 'the log is' : 'log and vault are'} put back; ${forgotten.length} sent are forgotten`)
  }
  return {
    moves: [
      { name: 'a copy is kept', weight: 3, act: keep },
      { name: 'the copy is put back', weight: 3, act: restore },
      { name: 'the node is not late', weight: 3, act: () => network.holdBackAfter(null) },
    ],
    rest: () => {
      isActive = false
      network.holdBackAfter(null)
    },
    attend: async () => {
      if (!isActive) return
      if (random.onceIn(3)) network.holdBackAfter(null)
      if (copy === null) keep()
      else if (sent.size > sentBeforeCopy && random.onceIn(2)) await restore()
    },
  }
}
