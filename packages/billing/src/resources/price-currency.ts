import { assetCode, type CheckoutDetails } from '@quittance/domain'

/** The `currency_code` of a checkout's price: an ISO 4217 code, or the code of the asset in which it is stated. */
export const priceCurrency = ({ price, assetId }: Pick<CheckoutDetails, 'price' | 'assetId'>): string =>
  price._tag === 'fiat' ? price.currency : assetCode(assetId)
