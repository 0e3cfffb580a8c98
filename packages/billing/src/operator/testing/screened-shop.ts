import { asText, type HoldAction } from '@quittance/domain'
import { done } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

/** A shop with a screening that lists nobody yet. */
export const openScreened = async (): Promise<StoreFront> => {
  const front = await openStoreFront()
  front.network.denied.isOn = true
  return front
}

/** From now on the screening lists these addresses alone. */
export const list = (
  { network: { denied } }: Pick<StoreFront, 'network'>,
  ...addresses: ReadonlyArray<string>
): void => {
  denied.addresses.clear()
  for (const address of addresses) denied.addresses.add(address)
}

const why = { by: asText('Ada'), reason: asText('checked by hand') }

/** The operator decides what is held. */
export const decide = ({ billing }: Pick<StoreFront, 'billing'>, subject: string, action: HoldAction) =>
  billing.screening.decide({ subject, action, ...why })

export const heldIn = ({ billing }: Pick<StoreFront, 'billing'>) => done(billing.screening.held)

/** So many ledgers close, each before a step. */
export const ledgers = async (front: Pick<StoreFront, 'network' | 'step'>, many: number, ms = 5_000): Promise<void> => {
  for (let n = 0; n < many; n++) {
    front.network.wait(ms)
    await front.step()
  }
}
