import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ContractId, hourMs } from '@quittance/domain'
import { deployContract, signerOfSecret } from '@quittance/ledger'
import type { Network } from '../services/services.ts'
import { type Club, clubIn } from './club.ts'
import { done, present } from './outcomes.ts'
import { openPlatform } from './platform.ts'
import { openStoreFront, shopOn } from './store-front.ts'
import { units } from './wallets.ts'

const dayMs = 24 * hourMs
const committed = new URL('../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url)

/** The committed mandate contract. */
export const presentWasm = readFileSync(committed)
export const presentCode = { wasm: presentWasm, sha256: createHash('sha256').update(presentWasm).digest('hex') }

/** A club whose operator deploys contracts, and names others for new mandates. `now` is the club since the last move. */
export const movingClub = async (named: Partial<Network> = {}) => {
  let contracts = named
  let club: Club = clubIn(await openStoreFront({}, (network) => ({ ...network, ...contracts })))

  const deployed = async (wasm: Uint8Array): Promise<ContractId> => {
    const signer = present(signerOfSecret(club.other.secret))
    const pause = async () => club.network.wait(1_000)
    const order = { wasm, deployer: club.other.account, signer, liveFor: 0, resourceFeeLimit: units(100) }
    return (await done(deployContract(club.network.gateway, pause)(order))).contract
  }
  /**
   * Starts the service again with another contract for new mandates, or none, and what else is named. Nothing names the former
   * one but the log.
   */
  const moved = async (mandateContract: ContractId | null, more: Partial<Network> = {}): Promise<void> => {
    contracts = { mandateContract, ...more }
    const { network, folder, wallets, payer, other, merchantId } = club
    await club.platform.close()
    const platform = await openPlatform(network, folder.path)
    const site = { network, folder, platform, wallets, payer, other, step: () => done(platform.worker.step) }
    club = clubIn({
      ...(await shopOn(site, merchantId)),
      close: async () => {
        await platform.close()
        await network.close()
        folder.remove()
      },
    })
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const passLedgers = async (ledgers = 6): Promise<void> => {
    for (let passed = 0; passed < ledgers; passed++) await club.pass()
  }
  const passDays = async (days: number): Promise<void> => {
    await club.pass(days * dayMs)
    await passLedgers()
  }
  return { now: () => club, deployed, moved, subscription, passLedgers, passDays, close: () => club.close() }
}
