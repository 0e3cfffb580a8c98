import { asText } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'
import type { LeftMerchant } from '../../stores/left-merchants.ts'

/** The merchants of which the log says that they have left. */
export const leftIn = async ({
  merchants,
}: ReadModels): Promise<ReadonlyArray<Pick<LeftMerchant, 'merchantId' | 'at'>>> =>
  (await merchants.all()).flatMap(({ id, row }) =>
    row.leftAt === undefined ? [] : [{ merchantId: asText(id), at: row.leftAt }],
  )
