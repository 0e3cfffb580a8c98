/** Whether a host, as `URL` writes it (IPv4 in four decimals, IPv6 in brackets and shortened), is this machine by its form. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
