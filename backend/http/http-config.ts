/** What the configuration says about how this server is reached, and what it answers. */
export interface HttpConfig {
  host: string;
  port: number;
  /** The origin that people use, when set. */
  publicUrl: URL | undefined;
  /** How many proxies in front are believed. */
  trustedProxies: number;
  /** Host names answered; undefined for the default set. */
  allowedHosts: string[] | undefined;
  /** The bearer token that opens `/metrics` to other machines. */
  metricsToken: string | undefined;
  /** Where "Download Latest Release" leads. */
  releasesUrl: URL;
  /** Where "source repository" leads. */
  sourceUrl: URL;
}
