import type { receiptPdf as print } from './receipt-pdf.ts'

/** Prints a receipt. What draws files and reads fonts is loaded with the first one. */
export const receiptPdf: typeof print = async (...receipt) => (await import('./receipt-pdf.ts')).receiptPdf(...receipt)
