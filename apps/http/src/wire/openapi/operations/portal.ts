import { exampleAccount, exampleId, exampleTransaction, type Section } from './words.ts'

const entryId = exampleId('ent_')

export const portal: Section = {
  tag: 'Portal',
  description: 'The page on which a customer sees and changes what is theirs, and the ways into it.',
  operations: {
    'POST /customers/:id/portal': {
      name: 'createPortalSession',
      description: 'Send the customer to `url` at once: it is good for one visit within five minutes.',
      examples: { andBack: { return_url: 'https://shop.example/account' } },
    },
    'POST /portal/wallets': {
      name: 'requestPortalProof',
      description: 'Answers a challenge that the owner of the wallet signs, and never sends to the network.',
      examples: { wallet: { address: exampleAccount } },
    },
    'POST /portal/wallets/verify': {
      name: 'createPortalSessionByWallet',
      description: 'Takes the challenge with the signature of the owner.',
      examples: { signed: { transaction: exampleTransaction } },
    },
    'GET /portal/:token': {
      name: 'enterPortal',
      description: 'Sets the cookie of the session, and leads to the portal. For browsers.',
    },
    'GET /portal': { name: 'showPortal', description: 'Answers the page of the visitor. For browsers.' },
    'POST /portal/subscriptions/:id': {
      name: 'changeSubscriptionInPortal',
      description: 'Takes the form of the portal, with the token that the page holds. For browsers.',
      examples: { pause: { action: 'pause', form_token: 'text' } },
    },
    'POST /portal/email': {
      name: 'requestEmailChangeInPortal',
      description: 'Takes the form of the portal, with the token that the page holds. For browsers.',
      examples: { email: { email: 'ada.king@example.com', form_token: 'text' } },
    },
    'GET /portal/email': { name: 'showEmailCodes', description: 'Answers a page with a form. For browsers.' },
    'POST /portal/email/confirm': {
      name: 'confirmEmailChangeInPortal',
      description: 'Takes the form of the page that asks for the codes. For browsers.',
      examples: {
        codes: { change_id: exampleId('chg_'), new_code: 'K7QM-R2XD', old_code: '9F3W-T8HB', form_token: 'text' },
      },
    },
    'POST /portal/entry': {
      name: 'requestPortalCode',
      description: 'Answers the same whether or not there is such a customer, so that nobody can find out.',
      examples: {
        email: { merchant_id: exampleId('mer_'), environment: 'testnet', email: 'ada@example.com' },
      },
    },
    'POST /portal/entry/verify': {
      name: 'createPortalSessionByCode',
      description: 'A code is good for ten minutes and once.',
      examples: { code: { entry_id: entryId, code: 'K7QM-R2XD' } },
    },
    'GET /portal/entry': { name: 'showPortalEntry', description: 'Answers a page with a form. For browsers.' },
    'POST /portal/entry/email': {
      name: 'requestPortalCodeByForm',
      description: 'Takes the form of the page that asks for the email. For browsers.',
      examples: { email: { merchant: exampleId('mer_'), environment: 'testnet', email: 'ada@example.com' } },
    },
    'GET /portal/entry/code': { name: 'showPortalCode', description: 'Answers a page with a form. For browsers.' },
    'POST /portal/entry/code': {
      name: 'enterPortalByCode',
      description:
        'Takes the form of the page that asks for the code, and sets the cookie of the session. For browsers.',
      examples: { code: { entry_id: entryId, code: 'K7QM-R2XD' } },
    },
  },
}
