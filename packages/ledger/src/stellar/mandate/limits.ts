import type { LedgerSequence } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type { CallLimits, CallResources } from '../../simulation.ts'

/** The presets of Stellar's networks, for settings that a node does not return. */
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
  rates: { per10kInstructions: 25n, perDiskRead1Kb: 1_786n, perWrite1Kb: 3_500n },
}

const settingKeys = [
  xdr.ConfigSettingId.configSettingContractComputeV0,
  xdr.ConfigSettingId.configSettingContractLedgerCostV0,
  xdr.ConfigSettingId.configSettingContractLedgerCostExtV0,
  xdr.ConfigSettingId.configSettingContractEventsV0,
  xdr.ConfigSettingId.configSettingContractBandwidthV0,
  xdr.ConfigSettingId.configSettingStateArchival,
].map((configSettingId) =>
  xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId })).toXdr('base64'),
)

const limitsIn = (setting: xdr.ConfigSettingEntry, { rates }: CallLimits): Partial<CallLimits> => {
  switch (setting.type) {
    case 'configSettingContractComputeV0': {
      const { txMaxInstructions, feeRatePerInstructionsIncrement: per10kInstructions } = setting.contractCompute
      return { instructions: Number(txMaxInstructions), rates: { ...rates, per10kInstructions } }
    }
    case 'configSettingContractLedgerCostV0': {
      const { txMaxDiskReadEntries, txMaxDiskReadBytes, txMaxWriteLedgerEntries, txMaxWriteBytes, feeDiskRead1Kb } =
        setting.contractLedgerCost
      return {
        rates: { ...rates, perDiskRead1Kb: feeDiskRead1Kb },
        diskReadEntries: txMaxDiskReadEntries,
        diskReadBytes: txMaxDiskReadBytes,
        writtenEntries: txMaxWriteLedgerEntries,
        writtenBytes: txMaxWriteBytes,
      }
    }
    case 'configSettingContractLedgerCostExtV0':
      return {
        footprintEntries: setting.contractLedgerCostExt.txMaxFootprintEntries,
        rates: { ...rates, perWrite1Kb: setting.contractLedgerCostExt.feeWrite1Kb },
      }
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

/** Reads the most that one contract call may need from the network's own settings. */
export const readCallLimits =
  ({ entries }: Pick<LedgerGateway, 'entries'>): TaskEither<LedgerUnreachable, CallLimits> =>
  async () => {
    const settings = await entries(settingKeys)()
    if (E.isLeft(settings)) return settings
    let limits = presets
    for (const entry of settings.right.entries.values()) {
      const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')
      if (data.type === 'configSetting') limits = { ...limits, ...limitsIn(data.configSetting, limits) }
    }
    return E.right(limits)
  }

/** How many of `count` calls fit into the limits, given what all of them need. */
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

/** A charge writes its mandate, the allowance and the payer's balance; each payee's balance is written once. */
const entriesOfCharge = 3

/** The most charges that can fit into one call. */
export const chargesAtOnce = ({ writtenEntries, footprintEntries }: CallLimits): number =>
  Math.max(1, Math.floor((Math.min(writtenEntries, footprintEntries) - 1) / entriesOfCharge))

/** The latest ledger in which an approval may end when it is signed while `asOf` is the newest. */
export const latestExpiry = ({ maxEntryTtl }: CallLimits, asOf: LedgerSequence): number => asOf + maxEntryTtl - 1
