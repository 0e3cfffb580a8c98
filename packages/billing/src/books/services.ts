import type { BookLineServices } from '../features/book-lines/book-lines.ts'
import type { Services } from '../services/services.ts'

/** The services that the books read; they write nothing. */
export type BooksServices = BookLineServices &
  Pick<Services, 'caughtUp' | 'cursors' | 'networks' | 'settlementOf' | 'left'>
