import type { MerchantProfile, Text } from '@quittance/domain'

/** Who sells, as pages show it to customers. */
export const sellerResource = ({ legalName, address, taxId, supportContact }: MerchantProfile, logo: Text | null) => ({
  legalName,
  address,
  taxId,
  supportContact,
  logo,
})
export type Seller = ReturnType<typeof sellerResource>
