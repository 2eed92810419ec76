package dev.pawl.graph.kind;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/** Tells addresses of the open internet from those that are somebody's own. */
final class Addresses {
  private Addresses() {}

  /** Whether the address is private, loopback, link-local, or kept for other purposes. */
  static boolean isPrivate(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || switch (address) {
          case Inet4Address four -> isReserved(four.getAddress());
          case Inet6Address six -> isReservedSix(six.getAddress());
          default -> true;
        };
  }

  private static boolean isReserved(byte[] address) {
    int a = address[0] & 255;
    int b = address[1] & 255;
    int c = address[2] & 255;
    return a == 0
        || a == 10
        || a == 127
        || a >= 240
        || (a == 100 && b >= 64 && b < 128)
        || (a == 169 && b == 254)
        || (a == 172 && b >= 16 && b < 32)
        || (a == 192 && b == 168)
        || (a == 192 && b == 0 && (c == 0 || c == 2))
        || (a == 198 && (b == 18 || b == 19));
  }

  /** Local ranges, and those that carry an address of the other kind inside of them. */
  private static boolean isReservedSix(byte[] address) {
    int first = address[0] & 255;
    int second = address[1] & 255;
    boolean unique = (first & 0xfe) == 0xfc;
    boolean sixToFour = first == 0x20 && second == 0x02;
    boolean teredo = first == 0x20 && second == 0x01 && address[2] == 0 && address[3] == 0;
    boolean translated = first == 0 && second == 0x64;
    boolean zeros = first == 0 && second == 0 && !translated;
    return unique || sixToFour || teredo || translated || zeros;
  }
}
