import { asText } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'
import type { LeftMerchant } from '../../stores/left-merchants.ts'

/** The merchants of which the log says that they have left. */
export const leftIn = ({ merchants }: ReadModels): ReadonlyArray<Pick<LeftMerchant, 'merchantId' | 'at'>> =>
  merchants
    .all()
    .flatMap(({ id, row }) => (row.leftAt === undefined ? [] : [{ merchantId: asText(id), at: row.leftAt }]))
