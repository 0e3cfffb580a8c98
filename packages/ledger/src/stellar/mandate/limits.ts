import type { LedgerSequence } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { CallLimits, CallResources } from '../../simulation.ts'

/** The presets of Stellar's networks, for what a node does not tell. */
const presets: CallLimits = {
  instructions: 100_000_000,
  footprintEntries: 100,
  writtenEntries: 50,
  diskReadEntries: 40,
  diskReadBytes: 200_000,
  writtenBytes: 132_096,
  eventBytes: 16_384,
  transactionBytes: 132_096,
  maxEntryTtl: 3_110_400,
}

const asked = [
  xdr.ConfigSettingId.configSettingContractComputeV0,
  xdr.ConfigSettingId.configSettingContractLedgerCostV0,
  xdr.ConfigSettingId.configSettingContractLedgerCostExtV0,
  xdr.ConfigSettingId.configSettingContractEventsV0,
  xdr.ConfigSettingId.configSettingContractBandwidthV0,
  xdr.ConfigSettingId.configSettingStateArchival,
].map((configSettingId) =>
  xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId })).toXdr('base64'),
)

const limitsIn = (setting: xdr.ConfigSettingEntry): Partial<CallLimits> => {
  switch (setting.type) {
    case 'configSettingContractComputeV0':
      return { instructions: Number(setting.contractCompute.txMaxInstructions) }
    case 'configSettingContractLedgerCostV0': {
      const { txMaxDiskReadEntries, txMaxDiskReadBytes, txMaxWriteLedgerEntries, txMaxWriteBytes } =
        setting.contractLedgerCost
      return {
        diskReadEntries: txMaxDiskReadEntries,
        diskReadBytes: txMaxDiskReadBytes,
        writtenEntries: txMaxWriteLedgerEntries,
        writtenBytes: txMaxWriteBytes,
      }
    }
    case 'configSettingContractLedgerCostExtV0':
      return { footprintEntries: setting.contractLedgerCostExt.txMaxFootprintEntries }
    case 'configSettingContractEventsV0':
      return { eventBytes: setting.contractEvents.txMaxContractEventsSizeBytes }
    case 'configSettingContractBandwidthV0':
      return { transactionBytes: setting.contractBandwidth.txMaxSizeBytes }
    case 'configSettingStateArchival':
      return { maxEntryTtl: setting.stateArchivalSettings.maxEntryTtl }
    default:
      return {}
  }
}

/** How much one contract call may need, as the network's own settings say. */
export const readCallLimits = ({
  entries,
}: Pick<LedgerGateway, 'entries'>): TE.TaskEither<LedgerUnreachable, CallLimits> =>
  pipe(
    entries(asked),
    TE.map(({ entries: settings }) => {
      let limits = presets
      for (const entry of settings.values()) {
        const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')
        if (data.type === 'configSetting') limits = { ...limits, ...limitsIn(data.configSetting) }
      }
      return limits
    }),
  )

/** Of how many parts what was needed for `count` fits into the limits: `count`, where all does. */
export const fitting = (needed: CallResources, bytes: number, limits: CallLimits, count: number): number => {
  const shares = [
    limits.instructions / needed.instructions,
    limits.footprintEntries / needed.footprintEntries,
    limits.writtenEntries / needed.writtenEntries,
    limits.diskReadEntries / needed.diskReadEntries,
    limits.diskReadBytes / needed.diskReadBytes,
    limits.writtenBytes / needed.writtenBytes,
    limits.eventBytes / needed.eventBytes,
    limits.transactionBytes / bytes,
  ].filter((share) => !Number.isNaN(share))
  return Math.floor(count * Math.min(1, ...shares))
}

/** A charge writes its mandate, the allowance and the payer's balance; what the payees have is written once for each. */
const entriesOfCharge = 3

/** With how many charges a batch is begun: how many fit at best. */
export const chargesAtOnce = ({ writtenEntries, footprintEntries }: CallLimits): number =>
  Math.max(1, Math.floor((Math.min(writtenEntries, footprintEntries) - 1) / entriesOfCharge))

/** The latest ledger in which an approval may end that is signed while `asOf` is the newest. */
export const latestExpiry = ({ maxEntryTtl }: CallLimits, asOf: LedgerSequence): number => asOf + maxEntryTtl - 1
