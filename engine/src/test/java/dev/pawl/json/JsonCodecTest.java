package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonCodecTest {
  enum Colour {
    RED,
    GREEN
  }

  record Line(String sku, int count) {}

  record Order(String id, BigDecimal total, Instant at, List<Line> lines, Optional<String> note) {}

  static final class Node {
    public Node next;
  }

  @Test
  void simpleValuesReadBack() {
    assertThat(decoded("text", String.class)).isEqualTo("text");
    assertThat(decoded("", String.class)).isEmpty();
    assertThat(decoded(true, Boolean.class)).isTrue();
    assertThat(decoded(-7, Integer.class)).isEqualTo(-7);
    assertThat(decoded(Long.MIN_VALUE, Long.class)).isEqualTo(Long.MIN_VALUE);
    assertThat(decoded(0.1, Double.class)).isEqualTo(0.1);
    assertThat(decoded(Colour.GREEN, Colour.class)).isEqualTo(Colour.GREEN);
    assertThat(JsonCodec.decode(JsonCodec.encode(null), String.class)).isNull();
    assertThat(JsonCodec.decode(Json.TRUE, Void.class)).isNull();
  }

  @Test
  void jsonItselfPassesThrough() {
    Json json = Json.parse("{\"a\":1}");

    assertThat(JsonCodec.encode(json)).isSameAs(json);
    assertThat(JsonCodec.decode(json, Json.class)).isSameAs(json);
    assertThat(JsonCodec.decode(Json.NULL, Json.class)).isSameAs(Json.NULL);
  }

  @Test
  void recordsReadBack() {
    Order order =
        new Order(
            "o-1",
            new BigDecimal("19.9900"),
            Instant.parse("2030-01-01T00:00:00.123456789Z"),
            List.of(new Line("a", 1), new Line("b", 2)),
            Optional.of("fragile"));

    assertThat(decoded(order, Order.class)).isEqualTo(order);
  }

  @Test
  void exactNumbersStayExact() {
    BigDecimal decimal = new BigDecimal("0.1000000000000000055");
    BigInteger integer = new BigInteger("12345678901234567890");
    BigDecimal huge = new BigDecimal("1E+400");

    assertThat(decoded(decimal, BigDecimal.class)).isEqualTo(decimal);
    assertThat(decoded(integer, BigInteger.class)).isEqualTo(integer);
    assertThat(decoded(huge, BigDecimal.class)).isEqualByComparingTo(huge);
    assertThat(decoded(new BigDecimal("2.50"), BigDecimal.class)).isEqualTo(new BigDecimal("2.50"));
  }

  @Test
  void timesAndIdsReadBack() {
    Instant instant = Instant.parse("2030-01-01T00:00:00.000000001Z");
    UUID uuid = UUID.fromString("0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55");

    assertThat(decoded(instant, Instant.class)).isEqualTo(instant);
    assertThat(decoded(LocalDate.of(2030, 1, 2), LocalDate.class))
        .isEqualTo(LocalDate.of(2030, 1, 2));
    assertThat(decoded(Duration.ofMillis(1500), Duration.class)).isEqualTo(Duration.ofMillis(1500));
    assertThat(decoded(uuid, UUID.class)).isEqualTo(uuid);
  }

  @Test
  void listsAndMapsReadBackByTheirFullType() {
    List<Line> lines = List.of(new Line("a", 1));
    Map<String, List<Line>> bySku = Map.of("a", lines);

    assertThat(JsonCodec.decode(JsonCodec.encode(lines), new JsonType<List<Line>>() {}))
        .isEqualTo(lines);
    assertThat(
            JsonCodec.decode(JsonCodec.encode(bySku), new JsonType<Map<String, List<Line>>>() {}))
        .isEqualTo(bySku);
  }

  @Test
  void noClassNameIsWritten() {
    assertThat(JsonCodec.encode(new Line("a", 1)).text()).isEqualTo("{\"sku\":\"a\",\"count\":1}");
  }

  @Test
  void unknownPropertiesAreIgnored() {
    Json newer = Json.parse("{\"sku\":\"a\",\"count\":1,\"colour\":{\"r\":[1]}}");

    assertThat(JsonCodec.decode(newer, Line.class)).isEqualTo(new Line("a", 1));
  }

  @Test
  void oddTextsReadBack() {
    Line odd = new Line("\u0000\uD83D \uDE80\uD83D\uDE80", 1);

    assertThat(decoded(odd, Line.class)).isEqualTo(odd);
  }

  @Test
  void aValueThatDoesNotFitIsRefusedWithWhatItIs() {
    assertMisfit("{\"sku\":\"a\",\"count\":\"many\"}", Line.class, "many");
    assertMisfit("[1]", Line.class, "[1]");
    assertMisfit("5", String.class, "it is not a string");
    assertMisfit("\"BLUE\"", Colour.class, "BLUE");
    assertMisfit("99999999999", Integer.class, "99999999999");
  }

  @Test
  void aNumberThatNothingCanHoldIsRefusedWhereverItCameFrom() {
    String text = "{\"n\":9e99999999999}";
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse(text))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_JSON));
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> JsonCodec.decode(Json.stored(text), Object.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  @Test
  void theMessageOfAMisfitIsShort() {
    Json large = Json.string("x".repeat(100_000));

    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> JsonCodec.decode(large, Integer.class))
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(2000));
  }

  @Test
  void aValueThatCannotBeWrittenIsRefused() {
    Node loop = new Node();
    loop.next = loop;

    assertUnwritable(loop);
    assertUnwritable(Map.of("\uD83D", 1));
  }

  @Test
  void aJsonTypeWithoutItsArgumentIsRefused() {
    assertThat(JsonType.of(Line.class).type()).isEqualTo(Line.class);
    assertThat(new JsonType<List<Line>>() {}.toString()).contains("List").contains("Line");
  }

  private static void assertUnwritable(Object value) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> JsonCodec.encode(value))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  private static void assertMisfit(String json, Class<?> type, String shown) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> JsonCodec.decode(Json.parse(json), type))
        .withMessageContaining(shown)
        .withMessageContaining(type.getSimpleName())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  private static <T> T decoded(T value, Class<T> type) {
    return JsonCodec.decode(JsonCodec.encode(value), type);
  }
}
