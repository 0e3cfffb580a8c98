import { exampleAccount, exampleId, exampleTransaction, type Section } from './words.ts'

export const checkouts: Section = {
  tag: 'Checkouts',
  description: 'Sessions in which customers pay. A checkout is open for 24 hours.',
  operations: {
    'POST /checkout': {
      name: 'createCheckout',
      description: 'Send the customer to `payment_url`. `type` says which body it takes: a product, or an amount.',
      examples: {
        product: {
          product_id: exampleId('prod_'),
          customer_email: 'ada@example.com',
          redirect_url: 'https://shop.example/thanks',
        },
        direct: { amount: 12.5, currency_code: 'EUR', description: 'Order 1042', metadata: { order: '1042' } },
      },
    },
    'GET /checkout': { name: 'listCheckouts', description: 'The newest checkout comes first.' },
    'GET /checkout/:id': {
      name: 'getCheckout',
      description: 'A completed one names its payment and its subscription.',
    },
    'GET /checkout/:id/history': {
      name: 'listCheckoutHistory',
      description: 'Tells also of its payments, their refunds, and what did not fit.',
    },
    'POST /checkout/:id/expire': {
      name: 'expireCheckout',
      description: 'What is paid for it afterwards is late, and goes back or is decided about.',
    },
  },
}

export const payments: Section = {
  tag: 'Payments',
  description: 'What customers have paid, as the ledger confirms it.',
  aliases: { '/payments': '/payment' },
  operations: {
    'GET /payment': { name: 'listPayments', description: 'The newest payment comes first.' },
    'GET /payment/:id/history': {
      name: 'listPaymentHistory',
      description: 'Tells also of its checkout or charge, its refunds, and what moved on the ledger.',
    },
    'GET /payment/:id': {
      name: 'getPayment',
      description: 'Names the transactions on the ledger that it consists of.',
    },
  },
}

export const refunds: Section = {
  tag: 'Refunds',
  description: 'Payments that are given back, whole.',
  operations: {
    'POST /refunds': {
      name: 'createRefund',
      description: 'It is `pending` until a ledger decides. A payment is given back once.',
      examples: { whole: { payment_id: exampleId('pay_'), reason: 'The book was damaged' } },
    },
    'GET /refunds': { name: 'listRefunds', description: 'The newest refund comes first.' },
    'GET /refunds/:id/history': {
      name: 'listRefundHistory',
      description: 'Tells also of its approval, and of what moved on the ledger.',
    },
    'GET /refunds/:id': { name: 'getRefund', description: 'Names the transaction on the ledger, once there is one.' },
    'POST /refunds/:id/cancel': {
      name: 'cancelRefund',
      description: 'Only one that waits for its 24 hours or for an approval can be canceled.',
    },
  },
}

export const paying: Section = {
  tag: 'Paying',
  description: 'What the holder of a payment address may do without a key: its page, its quote, and its payment.',
  operations: {
    'GET /pay/:id/quote': {
      name: 'getQuote',
      description: 'The amount counts until `valid_until`. A payment without the memo cannot be told from others.',
    },
    'GET /pay/:id/status': { name: 'getPayerStatus', description: 'For the page that waits for a payment.' },
    'GET /pay/:id/assets': {
      name: 'listPayerAssets',
      description: 'Says of each what paying would take of it now, through an exchange of the network.',
    },
    'POST /pay/:id/customer': {
      name: 'attachCustomer',
      description: 'Only for a checkout without a customer, and before it is paid.',
      examples: { payer: { email: 'ada@example.com', name: 'Ada Lovelace' } },
    },
    'POST /pay/:id/transaction': {
      name: 'buildPayment',
      description:
        'The wallet signs what is answered. With `send_asset` it pays in another asset; with `add_trustline` it can hold the asset asked for.',
      examples: { due: { source_account: exampleAccount } },
    },
    'POST /pay/:id/submit': {
      name: 'submitPayment',
      description: 'Sending the same envelope again is safe: it is paid once.',
      examples: { signed: { transaction_xdr: exampleTransaction } },
    },
    'GET /pay/:id/outcome': {
      name: 'getTransactionOutcome',
      description: 'For the page that waits for a ledger. Only the status says whether a payment counts.',
    },
    'GET /pay/:id/events': {
      name: 'followCheckout',
      description: 'Sends the status whenever it changes, until the checkout is completed or has failed.',
    },
    'GET /pay/:id': { name: 'showCheckoutPage', description: 'Answers a page on which to pay. For browsers.' },
    'GET /pay/:id/receipt': {
      name: 'showReceiptOfCheckout',
      description: 'Whoever knows the address of a checkout sees it, so it names no person. For browsers.',
    },
    'GET /pay/:id/receipt.pdf': { name: 'getReceiptFileOfCheckout', description: 'The same as PDF.' },
    'GET /receipts/:token': {
      name: 'showReceipt',
      description: 'At the `receipt_url` of a payment. Whoever has the address sees it. For browsers.',
    },
    'GET /receipts/:token/receipt.pdf': { name: 'getReceiptFile', description: 'The same as PDF.' },
    'GET /pay/:id/qr.svg': { name: 'drawQrCode', description: 'Holds the same as `sep7_uri` of the quote.' },
  },
}
