import type { Merchant } from '../merchant/index.ts'
import type { Behind } from './behind.ts'

export const behindMerchant: Behind<typeof Merchant> = (state, { type, data }, [second]) => {
  switch (type) {
    case 'MerchantCreated':
      return [{ type: 'CreateMerchant', ...data }]
    case 'SettlementAccountSet':
      return [{ type: 'SetSettlementAccount', ...data }]
    case 'SettlementBooksClosed':
      return [{ type: 'CloseBooks', ...data }]
    case 'AssetsAccepted':
      return [{ type: 'AcceptAssets', ...data }]
    case 'FundingAccountsDeclared':
      return [{ type: 'DeclareFundingAccounts', ...data }]
    case 'SetUpCompleted':
      return [{ type: 'CompleteSetUp', ...data }]
    case 'SetUpRequested':
      return [{ type: 'RequestSetUp', ...data }]
    case 'SponsorshipSet':
      return [{ type: 'SetSponsorship', ...data }]
    case 'OperatorAccountSet':
      return [{ type: 'SetOperatorAccount', ...data }]
    case 'PolicySet':
      return [{ type: 'SetPolicy', policy: data }]
    case 'ProfileSet': {
      const known = state.status === 'active' ? state.environments[data.environment].logo : null
      const logos = [known, ...(second?.type === 'LogoSet' ? [second.data.logo] : [])]
      return logos.map((logo) => ({ type: 'SetProfile', ...data, logo }))
    }
    case 'LogoSet':
      return state.status === 'active'
        ? [{ type: 'SetProfile', ...data, profile: state.environments[data.environment].profile }]
        : []
    case 'PlatformFeeSet':
      return [{ type: 'SetPlatformFee', ...data }]
    case 'ApiKeyCreated':
      return [
        { type: 'CreateApiKey', key: data },
        ...(second?.type === 'ApiKeyReplaced'
          ? [
              {
                type: 'ReplaceApiKey' as const,
                keyId: second.data.keyId,
                key: data,
                validUntil: second.data.validUntil,
              },
            ]
          : []),
      ]
    case 'ApiKeyReplaced':
      return []
    case 'ApiKeyRevoked':
      return [{ type: 'RevokeApiKey', ...data }]
    case 'MerchantLeft':
      return [{ type: 'LeaveMerchant', ...data }]
    case 'MerchantArrived':
      return [{ type: 'ReceiveMerchant', ...data }]
  }
}
